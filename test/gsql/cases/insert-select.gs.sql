SET @HTTP_BODY = '{"dev":"d1","t":1700000000000,"temp":21.5}';
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT dev, 'temp', t, temp FROM JSON_TABLE(@HTTP_BODY) WITH(dev String '$.dev', t Long '$.t', temp Double '$.temp');
-- ["d1","temp",1700000000000,21.5]
