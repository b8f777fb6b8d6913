select * from (values ('temp', 1772319600000, '21.5'::jsonb), ('temp', 1772406000000, '23.5')) x;
