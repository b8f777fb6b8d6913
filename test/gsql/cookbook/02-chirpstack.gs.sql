-- ChirpStack, uplink event: dates with an offset
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT dev, 'temperature', TOEPOCHMILLIS(t, 'yyyy-MM-dd''T''HH:mm:ss.SSSSSSXXX'), temp
FROM JSON_TABLE(@HTTP_BODY) WITH (dev String '$.deviceInfo.devEui', t String '$.time', temp Double '$.object.temperature')
UNION ALL
SELECT dev, 'co2', TOEPOCHMILLIS(t, 'yyyy-MM-dd''T''HH:mm:ss.SSSSSSXXX'), co2
FROM JSON_TABLE(@HTTP_BODY) WITH (dev String '$.deviceInfo.devEui', t String '$.time', co2 Long '$.object.co2')
UNION ALL
SELECT dev, 'motion', TOEPOCHMILLIS(t, 'yyyy-MM-dd''T''HH:mm:ss.SSSSSSXXX'), motion
FROM JSON_TABLE(@HTTP_BODY) WITH (dev String '$.deviceInfo.devEui', t String '$.time', motion Boolean '$.object.motion');
-- ["24e124136b3a0001","temperature",1772366398123,21.5]
-- ["24e124136b3a0001","co2",1772366398123,612]
-- ["24e124136b3a0001","motion",1772366398123,true]
