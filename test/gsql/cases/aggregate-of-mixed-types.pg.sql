select '2.5'::jsonb, '"x"'::jsonb, 3;
