-- A line of text that is neither JSON nor CSV: parseCsv inside parseCsv
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT 'logger', parseCsv(parseCsv(@HTTP_BODY, 1, '|'), 1, ':'), Now(), Cast(parseCsv(parseCsv(@HTTP_BODY, 1, '|'), 2, ':') AS DOUBLE)
UNION ALL SELECT 'logger', parseCsv(parseCsv(@HTTP_BODY, 2, '|'), 1, ':'), Now(), Cast(parseCsv(parseCsv(@HTTP_BODY, 2, '|'), 2, ':') AS DOUBLE)
UNION ALL SELECT 'logger', parseCsv(parseCsv(@HTTP_BODY, 3, '|'), 1, ':'), Now(), Cast(parseCsv(parseCsv(@HTTP_BODY, 3, '|'), 2, ':') AS DOUBLE);
-- ["logger","T1",1772366400000,21.5]
-- ["logger","H1",1772366400000,48]
-- ["logger","T2",1772366400000,19.25]
