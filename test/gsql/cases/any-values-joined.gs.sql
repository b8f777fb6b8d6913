SELECT v + w FROM (SELECT 5 v, 2 w UNION ALL SELECT 'x', 'y' UNION ALL SELECT 'n', 1.5) ORDER BY 1;
-- [7]
-- ["n1.5"]
-- ["xy"]
