WITH a AS (SELECT 1 x UNION ALL SELECT 2), b(y, z) AS (SELECT x, x * 10 FROM a) SELECT b.z, a.x FROM b JOIN a ON a.x = b.y ORDER BY 1;
-- [10,1]
-- [20,2]
