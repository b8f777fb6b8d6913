select v from generate_series(1, 2) v;
