select * from (values ('boiler', 'temp', 1772280000000), ('boiler', 'temp', 1772283600000), ('boiler', 'temp', 1772359200000)) x;
