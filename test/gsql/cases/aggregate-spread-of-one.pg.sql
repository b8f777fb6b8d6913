select null::float8, null::float8;
