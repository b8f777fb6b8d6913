SET @HTTP_BODY = '{"dev":"d1","t":1700000000000,"temp":21.5,"ok":true,"note":null}';
SELECT * FROM JSON_TABLE(@HTTP_BODY) WITH(dev String '$.dev', t Long '$.t', temp Double '$.temp', ok Boolean '$.ok', note String '$.note', none Long '$.none');
-- ["d1",1700000000000,21.5,true,null,null]
