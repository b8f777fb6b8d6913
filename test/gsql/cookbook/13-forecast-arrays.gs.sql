-- A weather forecast: arrays side by side
WITH hours AS (
  SELECT TOEPOCHMILLIS(t, 'yyyy-MM-dd''T''HH:mm', 'UTC') AS t, temp, rain
  FROM JSON_TABLE(@HTTP_BODY) WITH (
    t String '$.hourly.time[*]', temp Double '$.hourly.temperature_2m[*]', rain Double '$.hourly.rain[*]'))
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT 'forecast', 'temperature', t, temp FROM hours WHERE temp IS NOT NULL
UNION ALL SELECT 'forecast', 'rain', t, rain FROM hours;
-- ["forecast","temperature",1772366400000,9.1]
-- ["forecast","temperature",1772370000000,9.8]
-- ["forecast","rain",1772366400000,0]
-- ["forecast","rain",1772370000000,0.2]
-- ["forecast","rain",1772373600000,0.4]
