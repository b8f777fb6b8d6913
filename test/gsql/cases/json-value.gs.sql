SELECT JSON_Value('{"a":{"b":[1,2.5,"x"]}}', '$.a.b[1]'), JSON_Value('{"a":{"b":[1,2.5,"x"]}}', '$.a.b[2]'), JSON_Value('{"a":true}', '$.a'), JSON_Value('{"a":null}', '$.a'), JSON_Value('{"a":1}', '$.z'), JSON_Value('{"a":[1]}', '$.a'), JSON_Value('{"a b":5}', '$[''a b'']');
-- [2.5,"x",true,null,null,null,5]
