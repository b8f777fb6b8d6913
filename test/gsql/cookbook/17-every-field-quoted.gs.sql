-- A sender that quotes every field and leaves what it has not measured blank
-- A blank text is no number: it is read as a text, and made a NULL where that is what it means.
WITH line AS (
  SELECT d, TOEPOCHMILLIS(t, 'yyyy-MM-dd HH:mm:ss') AS at, Cast(NullIf(Trim(temp), '') AS DOUBLE) AS temp, Cast(NullIf(Trim(hum), '') AS DOUBLE) AS hum
  FROM CSV_TABLE(@HTTP_BODY, TRUE) WITH (1 d STRING, 2 t STRING, 3 temp STRING, 4 hum STRING))
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT d, 'temperature', at, temp FROM line WHERE temp IS NOT NULL
UNION ALL SELECT d, 'humidity', at, hum FROM line WHERE hum IS NOT NULL;
-- ["roof-1","temperature",1772366280000,21.5]
-- ["roof-1","temperature",1772366340000,21.6]
-- ["roof-1","humidity",1772366280000,48]
-- ["roof-2","humidity",1772366340000,51]
