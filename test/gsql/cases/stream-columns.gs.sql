SELECT cid, cname, id, name, description, folderPath, timeZoneId, streamType, valueType, unit FROM Stream ORDER BY cid, id;
-- ["boiler","The boiler","count","Count","","/Components/house","Europe/Berlin","random","LONG",""]
-- ["boiler","The boiler","empty","Nothing","","/Components/house","Europe/Berlin","random","DOUBLE",""]
-- ["boiler","The boiler","on","On","","/Components/house","Europe/Berlin","random","BOOLEAN",""]
-- ["boiler","The boiler","set","Set point","","/Components/house","Europe/Berlin","point","DOUBLE",""]
-- ["boiler","The boiler","state","State","","/Components/house","Europe/Berlin","random","STRING",""]
-- ["boiler","The boiler","temp","Temperature","","/Components/house","Europe/Berlin","random","DOUBLE","°C"]
-- ["meter","The meter","kwh","Energy","","/Components","America/New_York","interval","DOUBLE",""]
