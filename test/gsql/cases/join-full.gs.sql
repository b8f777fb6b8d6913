SELECT n, m FROM (SELECT 1 x, 'a' n UNION ALL SELECT 2, 'b' UNION ALL SELECT 2, 'c' UNION ALL SELECT NULL, 'd') t FULL OUTER JOIN (SELECT 2 x, 'p' m UNION ALL SELECT 2, 'q' UNION ALL SELECT 3, 'r' UNION ALL SELECT NULL, 's') u ON t.x = u.x ORDER BY m, n;
-- ["a",null]
-- ["d",null]
-- ["b","p"]
-- ["c","p"]
-- ["b","q"]
-- ["c","q"]
-- [null,"r"]
-- [null,"s"]
