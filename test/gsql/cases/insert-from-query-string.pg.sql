select * from (values ('KSTATION1', 'temp', 1772366400000, 22::float8), ('KSTATION1', 'hum', 1772366400000, 48)) x;
