select * from (values (null, 'nope', null::float8, null::float8), ('set', null, 65.5, 65.5), ('temp', 'temp', 23.5, 23.5)) x;
