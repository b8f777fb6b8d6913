select null::float8, null::bigint, '';
