select 6, 'n=3', 'many', 8::float8;
