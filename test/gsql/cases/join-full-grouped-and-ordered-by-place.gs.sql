SELECT t.x, Count(*) c, Count(m) ms, Group_Concat(m) g, Last(m) l FROM (SELECT 1 x, 'a' n UNION ALL SELECT 2, 'b' UNION ALL SELECT 2, 'c' UNION ALL SELECT NULL, 'd') t FULL JOIN (SELECT 2 x, 'p' m UNION ALL SELECT 2, 'q' UNION ALL SELECT 3, 'r' UNION ALL SELECT NULL, 's') u ON t.x = u.x GROUP BY t.x ORDER BY 1;
-- [null,3,2,"r,s","s"]
-- [1,1,0,null,null]
-- [2,4,4,"p,q,p,q","q"]
