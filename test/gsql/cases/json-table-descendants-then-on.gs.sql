SELECT v FROM JSON_TABLE('{"a":{"list":[{"v":1},{"v":2}]}}') WITH(v Long '$..list[*].v');
-- [1]
-- [2]
