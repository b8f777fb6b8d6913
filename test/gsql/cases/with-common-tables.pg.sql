select x * 10, x from generate_series(1, 2) x;
