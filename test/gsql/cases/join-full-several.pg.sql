select n, m, k from (values (1, 'a'), (2, 'b'), (2, 'c'), (null, 'd')) t(x, n) full join (values (2, 'p'), (2, 'q'), (3, 'r'), (null, 's')) u(x, m) on t.x = u.x full join (values (3, 'y'), (4, 'z')) v(x, k) on v.x = u.x
left join (values ('r')) w(l) on w.l = u.m where n is null or k is null order by n nulls first, m nulls first, k nulls first;
