SELECT First(v, t), Last(v, t), First(v, m), Last(v, m), First(v, s), Last(v, s) FROM (SELECT 1 v, NULL t, NULL m, NULL s UNION ALL SELECT 2, 5, 'x', 'a' UNION ALL SELECT 3, 9, 7, 'b');
-- [1,3,1,2,1,3]
