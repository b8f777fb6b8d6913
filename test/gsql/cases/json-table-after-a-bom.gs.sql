SET @t = Concat(JSON_Value('{"x":"\ufeff{\"a\":1}"}', '$.x'));
SELECT a, Len(@t), JSON_Value(@t, '$.a'), IsJSON(@t), JSON_Exists(@t, '$.a') FROM JSON_TABLE(@t) WITH (a Long '$.a');
-- [1,8,1,true,true]
