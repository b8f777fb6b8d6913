select 2, 5, -1, true, true;
