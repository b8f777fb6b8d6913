select 1772280000000, '20.5'::jsonb;
