UPDATE SAMPLE SET "SAMPLE" = "SAMPLE" * 10 WHERE "boiler" = "CID" AND "ID" = "temp" AND "TIME" >= 1772362800000;
-- ["boiler","temp",1772362800000,225]
-- ["boiler","temp",1772366400000,235]
