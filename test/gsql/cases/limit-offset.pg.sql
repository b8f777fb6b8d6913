select v from generate_series(1, 4) v order by v limit 2 offset 1;
