select * from (values ('1'::jsonb, 2), ('"x"', 1)) x;
