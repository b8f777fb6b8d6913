select '2'::jsonb, '1'::jsonb, '7'::jsonb, '3'::jsonb, '2'::jsonb, '5'::jsonb;
