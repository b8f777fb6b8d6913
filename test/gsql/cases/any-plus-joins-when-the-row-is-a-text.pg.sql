select 'N1', '71', 8, 8.5::float8, 2, 'N1.5', '1N', '1N', null::int8;
