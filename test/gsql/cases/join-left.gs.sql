SELECT a.k, b.v FROM (SELECT 1 k UNION ALL SELECT 2) a LEFT OUTER JOIN (SELECT 2 k, 'two' v) b ON a.k = b.k AND b.v LIKE 't%' ORDER BY a.k;
-- [1,null]
-- [2,"two"]
