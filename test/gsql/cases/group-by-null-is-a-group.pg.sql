select * from (values (null, 2), ('a', 1)) x;
