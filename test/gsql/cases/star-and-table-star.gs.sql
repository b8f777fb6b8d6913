SELECT *, t.*, u.b FROM (SELECT 1 a) t CROSS JOIN (SELECT 2 b, 3 c) u;
-- [1,2,3,1,2]
