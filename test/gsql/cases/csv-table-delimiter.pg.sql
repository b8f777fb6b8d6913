select * from (values (1, '2,5'), (3, '4,5'), (1, 'x')) x;
