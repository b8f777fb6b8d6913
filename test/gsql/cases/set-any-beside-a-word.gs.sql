SET @v = JSON_Value('{"v":4}', '$.v'); SELECT @v <> 'B', @v = '4' WHERE @v NOT IN ('ERR');
-- [true,true]
