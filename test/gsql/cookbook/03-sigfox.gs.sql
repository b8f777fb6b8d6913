-- Sigfox, data callback: the payload is hexadecimal
-- Two bytes of temperature in tenths of a degree, one of humidity, two of battery in millivolts; time in seconds.
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT device, 'temperature', t * 1000, HexToLong(Left(data, 4)) / 10.0
FROM JSON_TABLE(@HTTP_BODY) WITH (device String '$.device', t Long '$.time', data String '$.data')
UNION ALL
SELECT device, 'humidity', t * 1000, HexToLong(Substr(data, 5, 2))
FROM JSON_TABLE(@HTTP_BODY) WITH (device String '$.device', t Long '$.time', data String '$.data')
UNION ALL
SELECT device, 'battery', t * 1000, HexToLong(Right(data, 4))
FROM JSON_TABLE(@HTTP_BODY) WITH (device String '$.device', t Long '$.time', data String '$.data');
-- ["1A2B3C","temperature",1772366398000,21.5]
-- ["1A2B3C","humidity",1772366398000,50]
-- ["1A2B3C","battery",1772366398000,7941]
