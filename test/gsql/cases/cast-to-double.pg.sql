select 1::float8, 1500::float8, -0.5::float8, 5::float8, 0::float8, 0::float8;
