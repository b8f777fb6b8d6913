SELECT a.id, b.name FROM JSON_TABLE('[{"id":1},{"id":2}]') WITH(id Long '$[*].id') a LEFT JOIN JSON_TABLE('[{"id":2,"name":"two"}]') WITH(id Long '$[*].id', name String '$[*].name') AS b ON a.id = b.id ORDER BY a.id;
-- [1,null]
-- [2,"two"]
