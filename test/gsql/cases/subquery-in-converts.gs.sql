SELECT '2' IN (SELECT 2), 2 IN (SELECT '2'), 1 NOT IN (SELECT NULL), 1 IN (SELECT 1.0);
-- [true,true,null,true]
