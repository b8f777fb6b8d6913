select 1772366400000, '23.5'::jsonb, '65.5'::jsonb;
