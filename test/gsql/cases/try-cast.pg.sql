select null::bigint, null::float8, null::boolean, 7, null::bigint, null::float8;
