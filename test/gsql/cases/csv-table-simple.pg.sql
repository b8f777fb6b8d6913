select * from (values ('d1', 100, 21.5::float8), ('d2', 200, 22)) x;
