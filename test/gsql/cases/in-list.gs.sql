SELECT 1 IN (1, 2), 3 IN (1, 2), 'a' IN ('A', 'a'), 1 NOT IN (2, 3), 1 IN (2, NULL), 1 IN (1, NULL), 1 IN ();
-- [true,false,true,true,null,true,false]
