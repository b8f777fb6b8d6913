select null::bigint, null::float8, null::boolean, false, true, null::boolean, null::bigint;
