-- A weather station that speaks the Weather Underground protocol: everything in the query, in imperial units
SET @q = @HTTP_QUERY_STRING;
SET @station = QueryParam(@q, 'ID');
SET @t = TOEPOCHMILLIS(QueryParam(@q, 'dateutc'), 'yyyy-MM-dd HH:mm:ss', 'UTC');
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES
  (@station, 'temperature', @t, Round((Cast(QueryParam(@q, 'tempf') AS DOUBLE) - 32) * 5 / 9, 1)),
  (@station, 'humidity', @t, Cast(QueryParam(@q, 'humidity') AS LONG)),
  (@station, 'pressure', @t, Round(Cast(QueryParam(@q, 'baromin') AS DOUBLE) * 33.8639, 1));
-- ["KBERLIN42","temperature",1772366398000,22]
-- ["KBERLIN42","humidity",1772366398000,48]
-- ["KBERLIN42","pressure",1772366398000,1013.2]
