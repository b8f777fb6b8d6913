SELECT v, v IN (SELECT k FROM CSV_TABLE('4.0
x
1
True') WITH (1 k STRING)), v NOT IN (SELECT 4 UNION ALL SELECT 'x'), v IN (SELECT 4 UNION ALL SELECT NULL), v IN (SELECT 'q' WHERE FALSE)
  FROM (SELECT 4 v UNION ALL SELECT '4' UNION ALL SELECT 'x' UNION ALL SELECT TRUE UNION ALL SELECT 'true' UNION ALL SELECT NULL);
-- [4,true,false,true,false]
-- ["4",false,false,true,false]
-- ["x",true,false,null,false]
-- [true,true,true,null,false]
-- ["true",false,true,null,false]
-- [null,null,null,null,false]
