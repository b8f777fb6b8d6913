select 7, 9, -6, -5, 2, true, true, true;
