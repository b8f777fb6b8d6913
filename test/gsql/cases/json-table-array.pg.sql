select * from (values (1, 10::float8), (2, 20), (3, null)) x;
