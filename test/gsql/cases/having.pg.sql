select 'a', 2;
