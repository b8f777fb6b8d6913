select * from (values (1, 'a'), (2, 'b'), (3, 'c')) x;
