select * from (values ('"x"'::jsonb), ('4'), ('3'), ('2')) x;
