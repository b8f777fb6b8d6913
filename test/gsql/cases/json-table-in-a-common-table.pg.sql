select 'x', 3;
