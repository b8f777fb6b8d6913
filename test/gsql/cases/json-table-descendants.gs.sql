SELECT x FROM JSON_TABLE('{"a":{"x":1},"b":[{"x":2},{"c":{"x":3}}],"x":0}') WITH(x Long '$..x');
-- [0]
-- [1]
-- [2]
-- [3]
