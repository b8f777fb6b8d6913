select 1, 8, 1, true, true;
