select 'd1', 'temp', 1700000000000, 21.5::float8;
