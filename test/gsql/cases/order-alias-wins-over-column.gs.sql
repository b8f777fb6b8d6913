SELECT a, -a AS b FROM (SELECT 1 a, 5 b UNION ALL SELECT 2, 4) ORDER BY b;
-- [2,-2]
-- [1,-1]
