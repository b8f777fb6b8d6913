SELECT First(v), Last(v), First(v, t), Last(v, t), Last(n), First(v, s) FROM (SELECT 'a' v, 3 t, 'z' s, 1 n UNION ALL SELECT 'b', 1, 'y', NULL UNION ALL SELECT 'c', 2, 'x', NULL);
-- ["a","c","b","a",1,"c"]
