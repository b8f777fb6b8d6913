SELECT '10' > 9, '1e2' = 100, 2.50 = '2.5', '7' IN (6, 7), 7 BETWEEN '6' AND '8';
-- [true,true,true,true,true]
