SELECT n, m, k FROM (SELECT 1 x, 'a' n UNION ALL SELECT 2, 'b' UNION ALL SELECT 2, 'c' UNION ALL SELECT NULL, 'd') t FULL JOIN (SELECT 2 x, 'p' m UNION ALL SELECT 2, 'q' UNION ALL SELECT 3, 'r' UNION ALL SELECT NULL, 's') u ON t.x = u.x
  FULL JOIN (SELECT 3 x, 'y' k UNION ALL SELECT 4, 'z') v ON v.x = u.x LEFT JOIN (SELECT 'r' l) w ON w.l = u.m WHERE n IS NULL OR k IS NULL ORDER BY n, m, k;
-- [null,null,"z"]
-- [null,"r","y"]
-- [null,"s",null]
-- ["a",null,null]
-- ["b","p",null]
-- ["b","q",null]
-- ["c","p",null]
-- ["c","q",null]
-- ["d",null,null]
