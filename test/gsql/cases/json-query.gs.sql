SELECT JSON_Query('{"a":{"b":[1,2]}}', '$.a'), JSON_Query('{"a":{"b":[1,2]}}', '$.a.b'), JSON_Query('{"a":1}', '$.a'), JSON_Query('[[1],[2]]', '$[1]');
-- ["{\"b\":[1,2]}","[1,2]",null,"[2]"]
