DELETE FROM "SAMPLE" WHERE "CID" = 'boiler' AND "id" IN ('temp') AND "TIME" < 1772360000000;
-- ["boiler","temp",1772280000000]
-- ["boiler","temp",1772283600000]
-- ["boiler","temp",1772359200000]
