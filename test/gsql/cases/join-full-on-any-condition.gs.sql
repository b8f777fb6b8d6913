SELECT n, m FROM (SELECT 1 x, 'a' n UNION ALL SELECT 2, 'b' UNION ALL SELECT 2, 'c' UNION ALL SELECT NULL, 'd') t FULL JOIN (SELECT 2 x, 'p' m UNION ALL SELECT 2, 'q' UNION ALL SELECT 3, 'r' UNION ALL SELECT NULL, 's') u ON t.x > u.x OR m = 's' AND n = 'a' ORDER BY m, n;
-- ["b",null]
-- ["c",null]
-- ["d",null]
-- [null,"p"]
-- [null,"q"]
-- [null,"r"]
-- ["a","s"]
