select * from (values ('set', 131::float8, '=65.5', true), ('temp', 47, '=23.5', true)) x;
