select 23.5::float8 + 65.5, 23.5::float8 + 65.5, 23.5::float8 + 5;
