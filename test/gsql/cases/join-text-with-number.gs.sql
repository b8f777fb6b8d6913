SELECT a.k FROM (SELECT '2' k UNION ALL SELECT '3') a JOIN (SELECT 2 n) b ON a.k = b.n;
-- ["2"]
