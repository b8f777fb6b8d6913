select null::text, 'nope', null::jsonb;
