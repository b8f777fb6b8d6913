select * from (values ('boiler', 'temp', 1772362800000, 225::float8), ('boiler', 'temp', 1772366400000, 235)) x;
