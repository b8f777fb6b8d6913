select 22.5::float8, '21.51', 43::float8, true, 12345678901234567;
