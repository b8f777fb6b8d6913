select * from (values ('x', 2, 9), ('y', 1, null)) x;
