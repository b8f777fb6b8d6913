select '2.5'::jsonb, 5::float8;
