select * from (values (1, null), (2, 'two')) x;
