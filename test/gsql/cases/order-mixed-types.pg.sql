select * from (values (null::jsonb), ('9.5'), ('10'), ('"a"'), ('"x"')) x;
