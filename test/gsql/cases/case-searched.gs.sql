SELECT n, CASE WHEN n < 2 THEN 'low' WHEN n < 3 THEN 'mid' ELSE 'high' END FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3) ORDER BY n;
-- [1,"low"]
-- [2,"mid"]
-- [3,"high"]
