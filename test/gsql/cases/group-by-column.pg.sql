select k, sum(v)::bigint from (values ('a', 1), ('b', 2), ('a', 3)) x(k, v) group by k order by k;
