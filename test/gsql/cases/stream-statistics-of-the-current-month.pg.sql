select 67.5::float8;
