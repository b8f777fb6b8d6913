select 1024::float8, 0.5::float8, 4::float8, null::float8, 1::float8, 0::float8, null::float8, 3::float8, null::float8, null::float8;
