select * from (values ('x', 3), ('y', 5), ('z', null)) x;
