-- Particle, event: JSON inside a text inside JSON
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT e.dev, e.event + '-temperature', TOEPOCHMILLIS(e.at, 'yyyy-MM-dd''T''HH:mm:ss.SSSX'), d.t
FROM JSON_TABLE(@HTTP_BODY) WITH (dev String '$.coreid', event String '$.event', at String '$.published_at', data String '$.data') e,
  JSON_TABLE(e.data) WITH (t Double '$.t') d
UNION ALL
SELECT e.dev, e.event + '-humidity', TOEPOCHMILLIS(e.at, 'yyyy-MM-dd''T''HH:mm:ss.SSSX'), d.h
FROM JSON_TABLE(@HTTP_BODY) WITH (dev String '$.coreid', event String '$.event', at String '$.published_at', data String '$.data') e,
  JSON_TABLE(e.data) WITH (h Double '$.h') d;
-- ["e00fce68a1b2c3d4e5f60718","climate-temperature",1772366398123,21.5]
-- ["e00fce68a1b2c3d4e5f60718","climate-humidity",1772366398123,48]
