select v * 2 from generate_series(2, 3) v;
