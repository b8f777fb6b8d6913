select * from (values (1, 10), (1, 11), (2, 20)) x;
