select 3, 0, 1, 2, null::bigint;
