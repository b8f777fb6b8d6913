select 5, 0, 2, null::bigint, 4;
