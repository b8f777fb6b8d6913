select * from (values (1::float8), (2.5)) x;
