select * from (values ('d1', 'temp', 5, '21.5'::jsonb), ('d1', 'state', 5, '"on"'), ('d1', 'twice', 10, '43')) x;
