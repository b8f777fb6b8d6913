select * from (values ('on', 'false'::jsonb, 1772370000000), ('state', '"on"', 1772370000000), ('temp', '23.5', 1772370000000)) x;
