select 4, 3, 9, 3::float8, 1, 6;
