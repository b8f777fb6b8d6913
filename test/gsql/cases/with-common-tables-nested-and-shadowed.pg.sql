select 1, 5;
