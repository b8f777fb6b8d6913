select 'c', 'i', 1, 2.5::float8;
