select 5, 21.5::float8;
