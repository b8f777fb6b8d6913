select * from (values ('n', 2), ('n', 3)) x;
