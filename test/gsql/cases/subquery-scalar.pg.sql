select 1, 6;
