select * from (values ('21.5'::jsonb), ('"on"'), ('true'), (null), ('7')) x;
