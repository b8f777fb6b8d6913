select 3::float8, -3::float8, 2.35::float8, 7, -2::float8, 2::float8, -1::float8, 1200::float8;
