-- The smallest device: one number in the body, names in the query, the server's clock
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT QueryParam(@HTTP_QUERY_STRING, 'device'), QueryParam(@HTTP_QUERY_STRING, 'stream'), NULL, Cast(Trim(@HTTP_BODY) AS DOUBLE);
-- ["bedroom","temperature",null,21.5]
