DELETE FROM SAMPLE WHERE CID IN ('boiler', 'meter') AND ID IN ('state', 'kwh') AND SAMPLE IS NULL;
-- ["meter","kwh",1772362800000]
