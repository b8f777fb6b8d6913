select 22.5::float8, 22.5::float8, 43::float8, true, 12345678901234567;
