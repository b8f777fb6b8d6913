select * from generate_series(0, 3);
