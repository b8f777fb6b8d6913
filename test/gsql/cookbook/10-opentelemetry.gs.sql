-- OpenTelemetry, metrics as JSON: arrays inside arrays, a filter, nanoseconds
SET @host = (SELECT host FROM JSON_TABLE(@HTTP_BODY)
  WITH (host String '$.resourceMetrics[0].resource.attributes[?(@.key=="host.name")].value.stringValue'));
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT @host, name, Cast(Left(nanos, 13) AS LONG), Coalesce(d, i)
FROM JSON_TABLE(@HTTP_BODY) WITH (
  name String '$.resourceMetrics[*].scopeMetrics[*].metrics[*].name',
  nanos String '$.resourceMetrics[*].scopeMetrics[*].metrics[*].gauge.dataPoints[*].timeUnixNano',
  d Double '$.resourceMetrics[*].scopeMetrics[*].metrics[*].gauge.dataPoints[*].asDouble',
  i Double '$.resourceMetrics[*].scopeMetrics[*].metrics[*].gauge.dataPoints[*].asInt');
-- ["web-1","cpu.utilization",1772366398000,0.42]
-- ["web-1","cpu.utilization",1772366399000,0.44]
-- ["web-1","queue.length",1772366398000,17]
