select * from (values (null::bigint), (5)) x;
