select 10::float8, 1.5::float8, 3.5::float8, -3::float8;
