select * from generate_series(1, 2);
