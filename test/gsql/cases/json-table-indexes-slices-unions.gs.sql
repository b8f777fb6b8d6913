SELECT a, b FROM JSON_TABLE('{"l":[1,2,3,4]}') WITH(a Long '$.l[0]', b Long '$.l[1:3]') UNION ALL SELECT c, d FROM JSON_TABLE('{"l":[1,2,3,4]}') WITH(c Long '$.l[-1]', d Long '$.l[0,3]');
-- [1,2]
-- [1,3]
-- [4,1]
-- [4,4]
