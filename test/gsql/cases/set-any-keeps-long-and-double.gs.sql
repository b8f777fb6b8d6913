SET @l = JSON_Value('{"v":7}', '$.v'); SET @d = JSON_Value('{"v":7.0}', '$.v'); SET @e = @d; SET @h = JSON_Value('{"v":1e300}', '$.v'); SELECT @l / 2, @d / 2, @e / 2, @l, @d + '', @h = 1e300, @h = JSON_Value('{"v":1e300}', '$.v');
-- [3,3.5,3.5,7,"7",true,true]
