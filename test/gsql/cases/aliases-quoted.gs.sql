SELECT 1 AS "a b", 2 'c', 3 AS [d e], 4 `f`, 5 g;
-- [1,2,3,4,5]
