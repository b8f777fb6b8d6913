select 1::float8, 1::float8, 0::float8, 0::float8, null::float8, 0::float8, 0::float8;
