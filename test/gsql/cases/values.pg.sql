select * from (values (2, null), (1, 'a')) x;
