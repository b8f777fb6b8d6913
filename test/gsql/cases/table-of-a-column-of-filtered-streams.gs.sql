SELECT s.id, x.k FROM Stream s, JSON_TABLE(s.lastValue) WITH(k Double '$') x WHERE s.cid = 'boiler' AND s.valueType <> 'STRING' AND x.k > 1 ORDER BY 1;
-- ["count",9007199254740992]
-- ["set",65.5]
-- ["temp",23.5]
