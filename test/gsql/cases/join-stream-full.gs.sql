SELECT s.id, x.id, s.lastValue + 0, sample FROM Stream s FULL JOIN (SELECT 'temp' id UNION ALL SELECT 'nope') x ON s.id = x.id WHERE s.cid = 'boiler' AND s.id IN ('temp', 'set') OR x.id = 'nope' ORDER BY 1;
-- [null,"nope",null,null]
-- ["set",null,65.5,65.5]
-- ["temp","temp",23.5,23.5]
