select 12, 15::float8, true, false, 12, '007';
