select * from (values (2), (1)) x;
