select * from (values ('c', 's', 10, '1'::jsonb), ('7', 't', null, '"x"')) x;
