select n, m from (values (1, 'a'), (2, 'b'), (2, 'c'), (null, 'd')) t(x, n) left join (values (2, 'p'), (2, 'q'), (3, 'r'), (null, 's')) u(x, m) on t.x > u.x or m = 's' and n = 'a'
union all select null, m from (values (2, 'p'), (2, 'q'), (3, 'r'), (null, 's')) u(x, m) where not exists (select from (values (1, 'a'), (2, 'b'), (2, 'c'), (null, 'd')) t(x, n) where t.x > u.x or m = 's' and n = 'a')
order by 2 nulls first, 1 nulls first;
