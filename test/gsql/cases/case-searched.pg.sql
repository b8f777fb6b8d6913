select n, case when n < 2 then 'low' when n < 3 then 'mid' else 'high' end from generate_series(1, 3) n order by n;
