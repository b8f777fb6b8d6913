select null::bigint, null::float8, null::bigint, null::float8, null::bigint;
