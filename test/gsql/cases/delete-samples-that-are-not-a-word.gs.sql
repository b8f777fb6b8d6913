DELETE FROM SAMPLE WHERE CID = 'boiler' AND ID IN ('temp', 'state') AND SAMPLE <> 'on' AND TIME >= 1772362800000;
-- ["boiler","temp",1772362800000]
-- ["boiler","temp",1772366400000]
-- ["boiler","state",1772362800000]
