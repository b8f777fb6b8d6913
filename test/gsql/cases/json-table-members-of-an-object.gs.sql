SELECT v FROM JSON_TABLE('{"sensors":{"a":{"v":1},"b":{"v":2}}}') WITH(v Long '$.sensors.*.v');
-- [1]
-- [2]
