select 'a', 'c', 'b', 'a', 1, 'c';
