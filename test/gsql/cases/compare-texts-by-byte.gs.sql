SELECT 'a' < 'b', 'B' < 'a', 'ä' > 'z', '10' < '9', 'a' = 'A';
-- [true,true,true,true,false]
