SELECT Min(v), Max(v), Count(v) FROM (SELECT 5 v UNION ALL SELECT 'x' UNION ALL SELECT 2.5);
-- [2.5,"x",3]
