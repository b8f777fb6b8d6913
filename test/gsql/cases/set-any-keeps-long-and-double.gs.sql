SET @l = JSON_Value('{"v":9007199254740993}', '$.v'); SET @d = JSON_Value('{"v":7.0}', '$.v'); SET @e = @d; SET @h = JSON_Value('{"v":1e300}', '$.v'); SELECT @l / 2, @d / 2, @e / 2, @l, @d + '', @h = 1e300, @h = JSON_Value('{"v":1e300}', '$.v');
-- [4503599627370496,3.5,3.5,"9007199254740993n","7",true,true]
