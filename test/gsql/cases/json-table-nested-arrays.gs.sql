SELECT a, b FROM JSON_TABLE('{"l":[{"a":1,"b":[10,11]},{"a":2,"b":[]},{"a":3,"b":[30]}]}') WITH(a Long '$.l[*].a', b Long '$.l[*].b[*]');
-- [1,10]
-- [1,11]
-- [3,30]
