SELECT If(1 > 2, 'a', 'b'), Iif(TRUE, 1, 2), If(NULL, 1, 2), If(FALSE, 1), Iif('true', 'yes', 'no');
-- ["b",1,2,null,"yes"]
