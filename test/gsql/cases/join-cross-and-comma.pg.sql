select x, 3, z from generate_series(1, 2) x, generate_series(4, 5) z order by x, z;
