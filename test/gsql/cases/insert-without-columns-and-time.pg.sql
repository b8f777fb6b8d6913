select * from (values ('c', 's', 12, 'true'::jsonb), ('c', 's', null, null)) x;
