SELECT Cast(NullIf(Trim(v), '') AS DOUBLE), Cast(NullIf(Trim(n), '') AS LONG), Cast(NullIf(Trim(m), '') AS LONG), s
FROM JSON_TABLE('{"v":"","n":" ","m":" 5 ","s":"","größe":5}') WITH(v String '$.v', n String '$.n', m String '$.m', s String '$.s');
-- [null,null,5,""]
