SELECT v, n, s FROM JSON_TABLE('{"v":"","n":" ","s":"","größe":5}') WITH(v Double '$.v', n Long '$.n', s String '$.s');
-- [null,null,""]
