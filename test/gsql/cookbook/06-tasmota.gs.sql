-- Tasmota, telemetry: a local time without a zone, the device in the query
-- The time is that of the connector's zone, here Europe/Berlin.
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT parseCsv(QueryParam(@HTTP_QUERY_STRING, 'topic'), 2, '/'), 'temperature', TOEPOCHMILLIS(t, 'yyyy-MM-dd''T''HH:mm:ss'), v
FROM JSON_TABLE(@HTTP_BODY) WITH (t String '$.Time', v Double '$.DS18B20.Temperature');
-- ["cellar","temperature",1772366398000,21.5]
