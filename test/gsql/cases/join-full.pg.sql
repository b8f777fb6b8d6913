select n, m from (values (1, 'a'), (2, 'b'), (2, 'c'), (null, 'd')) t(x, n) full join (values (2, 'p'), (2, 'q'), (3, 'r'), (null, 's')) u(x, m) on t.x = u.x order by m nulls first, n nulls first;
