WITH a AS (SELECT p FROM JSON_TABLE('{"p":"[1,2]"}') WITH(p String '$.p')) SELECT v FROM JSON_TABLE((SELECT p FROM a)) WITH(v Long '$[*]');
-- [1]
-- [2]
