SELECT a.id, b.v FROM JSON_TABLE('[{"id":1,"p":"{\"v\":[10,11]}"},{"id":2,"p":"{\"v\":[20]}"},{"id":3,"p":null}]') WITH(id Long '$[*].id', p String '$[*].p') a, JSON_TABLE(a.p) WITH(v Long '$.v[*]') b ORDER BY 1, 2;
-- [1,10]
-- [1,11]
-- [2,20]
