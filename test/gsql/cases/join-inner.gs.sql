SELECT a.k, b.v FROM (SELECT 1 k UNION ALL SELECT 2) a INNER JOIN (SELECT 2 k, 'two' v UNION ALL SELECT 3, 'three') b ON a.k = b.k;
-- [2,"two"]
