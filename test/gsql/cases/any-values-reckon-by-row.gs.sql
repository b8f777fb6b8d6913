SELECT v + 1 AS s, v = 5 AS f FROM (SELECT 5 v UNION ALL SELECT 'x') WHERE v = 5;
-- [6,true]
