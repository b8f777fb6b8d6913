select 7 / 2, 7.0::float8 / 2, 7.0::float8 / 2, 7, '7', true, true;
