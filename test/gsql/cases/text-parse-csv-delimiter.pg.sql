select 'b', 'c', '2', 'b;c', 'b';
