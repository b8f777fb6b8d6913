SELECT cid, id, lastValue, lastTime, startDate, endDate FROM Stream WHERE id <> 'count' ORDER BY cid, id;
-- ["boiler","empty",null,null,null,null]
-- ["boiler","on",false,1772366400000,1772362800000,1772366400000]
-- ["boiler","set",65.5,1772300000000,1772300000000,1772300000000]
-- ["boiler","state","on",1772366400000,1772359200000,1772366400000]
-- ["boiler","temp",23.5,1772366400000,1772280000000,1772366400000]
-- ["meter","kwh",4,1772366400000,1772355600000,1772366400000]
