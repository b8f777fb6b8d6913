SET @HTTP_BODY = '{"d":"x","v":[1,2]}';
WITH body AS (SELECT d, v FROM JSON_TABLE(@HTTP_BODY) WITH(d String '$.d', v Long '$.v[*]')) SELECT d, Sum(v) FROM body GROUP BY d;
-- ["x",3]
