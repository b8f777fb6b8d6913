-- A meter that writes German: decimal commas, dots between thousands, date and time apart
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT meter, 'kWh', TOEPOCHMILLIS(d + ' ' + t, 'dd.MM.yyyy HH:mm'), Cast(Replace(Replace(v, '.', ''), ',', '.') AS DOUBLE)
FROM CSV_TABLE(@HTTP_BODY, TRUE, ';') WITH (1 meter STRING, 2 d STRING, 3 t STRING, 4 v STRING);
-- ["1ESY1160000001","kWh",1772365500000,1234.56]
-- ["1ESY1160000001","kWh",1772366400000,1234.81]
