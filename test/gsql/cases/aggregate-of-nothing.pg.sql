select 0, null::bigint, null::float8, null::bigint, null, null::bigint;
