select 'd1', 1700000000000, 21.5::float8, true, null, null::bigint;
