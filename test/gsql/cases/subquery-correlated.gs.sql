SELECT a.k, (SELECT Sum(b.v) FROM (SELECT 'x' k, 1 v UNION ALL SELECT 'x', 2 UNION ALL SELECT 'y', 5) b WHERE b.k = a.k) FROM (SELECT 'x' k UNION ALL SELECT 'y' UNION ALL SELECT 'z') a ORDER BY a.k;
-- ["x",3]
-- ["y",5]
-- ["z",null]
