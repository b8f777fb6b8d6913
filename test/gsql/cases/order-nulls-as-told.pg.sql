select v from (values (2), (null), (1)) x(v) order by v nulls last;
