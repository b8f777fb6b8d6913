-- A LoRaWAN gateway that sends CSV: numbers and texts in one column
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = '/Components/gateways')
SELECT deveui, type, TOEPOCHMILLIS(t, 'yyyy-MM-dd HH:mm:ss'), If(Try_Cast(v AS DOUBLE) IS NULL, v, Try_Cast(v AS DOUBLE))
FROM CSV_TABLE(@HTTP_BODY, TRUE, ';') WITH (2 deveui STRING, 3 t STRING, 4 type STRING, 5 v STRING);
-- ["70B3D57ED0001234","temp",1772366398000,21.5]
-- ["70B3D57ED0001234","hum",1772366398000,48]
-- ["70B3D57ED0005678","door",1772366399000,"open; by hand"]
