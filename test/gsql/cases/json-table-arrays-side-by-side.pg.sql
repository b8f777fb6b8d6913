select * from (values (1, 10.5::float8), (2, 11), (3, null)) x;
