select 5, 5.5::float8, -1, 0, 1, 1, 1.5::float8, -1;
