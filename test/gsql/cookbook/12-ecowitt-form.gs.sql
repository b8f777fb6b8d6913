-- Ecowitt, custom upload: a form as the body
SET @t = TOEPOCHMILLIS(QueryParam(@HTTP_BODY, 'dateutc'), 'yyyy-MM-dd HH:mm:ss', 'UTC');
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT QueryParam(@HTTP_BODY, 'model'), 'soil moisture', @t, Cast(QueryParam(@HTTP_BODY, 'soilmoisture1') AS LONG)
UNION ALL SELECT QueryParam(@HTTP_BODY, 'model'), 'humidity', @t, Cast(QueryParam(@HTTP_BODY, 'humidityin') AS LONG);
-- ["GW1100A","soil moisture",1772366398000,37]
-- ["GW1100A","humidity",1772366398000,44]
