SELECT Coalesce(v, 'none') FROM (SELECT 1.5 v UNION ALL SELECT NULL) ORDER BY 1;
-- [1.5]
-- ["none"]
