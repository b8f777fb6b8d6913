select * from (values ('n', 1, null), ('t', null, 2)) x;
