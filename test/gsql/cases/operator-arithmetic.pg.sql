select 9, 5, 14, 3, 1, -3, -1, 3.5::float8, 1.5::float8, 3::float8;
