select coalesce(to_jsonb(v), '"none"') from (values (1.5::float8), (null)) x(v) order by v nulls last;
