SELECT a.k, Count(*), (SELECT Max(b.v) FROM (SELECT 'x' k, 9 v) b WHERE b.k = a.k) FROM (SELECT 'x' k UNION ALL SELECT 'x' UNION ALL SELECT 'y') a GROUP BY a.k ORDER BY 1;
-- ["x",2,9]
-- ["y",1,null]
