select * from (values ('n', 1, 1), ('t', null, 2)) x;
