select * from (values (1, 10), (2, 20)) x;
