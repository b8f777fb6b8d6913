SELECT Group_Concat(v), Group_Concat(v, ' / '), Group_Concat(n) FROM (SELECT 'a' v, 1 n UNION ALL SELECT 'b', NULL UNION ALL SELECT 'c', 2.5);
-- ["a,b,c","a / b / c","1,2.5"]
