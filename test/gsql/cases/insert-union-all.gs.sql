SET @HTTP_BODY = '{"dev":"d1","t":5,"temp":21.5,"state":"on"}';
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT dev, 'temp', t, temp FROM JSON_TABLE(@HTTP_BODY) WITH(dev String '$.dev', t Long '$.t', temp Double '$.temp')
UNION ALL SELECT dev, 'state', t, state FROM JSON_TABLE(@HTTP_BODY) WITH(dev String '$.dev', t Long '$.t', state String '$.state')
UNION ALL SELECT dev, 'twice', t * 2, temp * 2 FROM JSON_TABLE(@HTTP_BODY) WITH(dev String '$.dev', t Long '$.t', temp Double '$.temp');
-- ["d1","temp",5,21.5]
-- ["d1","state",5,"on"]
-- ["d1","twice",10,43]
