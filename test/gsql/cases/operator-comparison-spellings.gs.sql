SELECT 1 = 1, 1 == 1, 1 <> 2, 1 != 2, 1 < 2, 2 <= 2, 3 > 2, 3 >= 4;
-- [true,true,true,true,true,true,true,false]
