select * from (values ('7'::jsonb), ('"n1.5"'), ('"xy"')) x;
