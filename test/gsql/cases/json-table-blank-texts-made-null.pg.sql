select null::float8, null::bigint, 5, '';
