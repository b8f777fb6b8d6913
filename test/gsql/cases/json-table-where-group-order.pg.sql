select * from (values ('b', 5), ('a', 3)) x;
