select 'a', 'a', 'a', 'a', 0;
