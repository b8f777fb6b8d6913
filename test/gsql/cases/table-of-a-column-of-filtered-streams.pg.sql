select * from (values ('count', 9007199254740992::float8), ('set', 65.5), ('temp', 23.5)) x;
