select * from (values ('a', 1, 5), ('a', 2, null), ('b', 3, 6), ('b', null, 7)) x;
