select 3, null::bigint;
