SELECT Max(v) IN (SELECT 5 UNION ALL SELECT 'y'), Max(v) NOT IN (SELECT 'x'), Max(1) IN (SELECT JSON_Value('{"a":1}', '$.a')) FROM (SELECT 5 v UNION ALL SELECT 'x');
-- [false,false,true]
