select 'd', 'state', 1700000000000, 21.5::float8;
