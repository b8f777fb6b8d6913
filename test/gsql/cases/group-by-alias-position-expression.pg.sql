select v % 2, count(*) from generate_series(1, 3) v group by 1 order by 1;
