SELECT JSON_Exists('{"a":{"b":1}}', '$.a.b'), JSON_Exists('{"a":null}', '$.a'), JSON_Exists('{"a":1}', '$.b'), JSON_Exists('[1,2]', '$[5]'), JSON_Exists(NULL, '$.a'), JSON_Exists('', '$.a');
-- [true,true,false,false,null,false]
