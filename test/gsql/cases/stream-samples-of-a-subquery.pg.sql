select * from (values (2, 2), (3, 3)) x;
