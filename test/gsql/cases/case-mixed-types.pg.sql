select n, case n when 1 then '"text"'::jsonb when 2 then '2.5' else 'true' end from generate_series(1, 3) n order by n;
