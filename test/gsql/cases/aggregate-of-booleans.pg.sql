select 2, 2::float8 / 3, false, true, 3;
