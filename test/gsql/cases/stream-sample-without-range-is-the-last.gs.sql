SELECT id, sample, time FROM Stream WHERE cid = 'boiler' AND valueType <> 'LONG' ORDER BY id;
-- ["on",false,1772366400000]
-- ["set",65.5,1772300000000]
-- ["state","on",1772366400000]
-- ["temp",23.5,1772366400000]
