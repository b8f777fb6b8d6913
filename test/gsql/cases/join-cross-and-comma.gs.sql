SELECT a.x, b.y, c.z FROM (SELECT 1 x UNION ALL SELECT 2) a, (SELECT 3 y) b CROSS JOIN (SELECT 4 z UNION ALL SELECT 5) c ORDER BY x, z;
-- [1,3,4]
-- [1,3,5]
-- [2,3,4]
-- [2,3,5]
