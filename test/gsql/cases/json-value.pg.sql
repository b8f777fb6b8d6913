select '2.5'::jsonb, '"x"'::jsonb, 'true'::jsonb, null, null, null, '5'::jsonb;
