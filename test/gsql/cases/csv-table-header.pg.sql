select * from (values (1, 'a'), (2, 'b')) x;
