select 5, 'x', 1;
