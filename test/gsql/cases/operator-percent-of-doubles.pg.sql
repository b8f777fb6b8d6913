select 1::float8, -1::float8, 1::float8;
