select * from (values (1, null::float8, null::boolean, ''), (2, null, true, 'x')) x;
