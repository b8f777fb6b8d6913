select 3, 1, 2.5::float8, 'b', 'B', null::bigint, 10::float8;
