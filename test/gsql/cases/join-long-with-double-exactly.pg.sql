select * from (values (7 - 9007199254740990, 7::float8), (2, 9007199254740992)) x;
