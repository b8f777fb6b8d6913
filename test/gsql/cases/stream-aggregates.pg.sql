select * from (values ('boiler', 'temp', 5, 21.9::float8, '23.5'::jsonb, '20.5'::jsonb, '23.5'::jsonb, 1772280000000), ('meter', 'kwh', 4, 7::float8 / 3, '4', '1', '4', 1772355600000)) x;
