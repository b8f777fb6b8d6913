-- The Things Network, uplink message
-- The clock of the network writes as many digits as it needs, so only the seconds are read.
WITH up AS (
  SELECT dev, TOEPOCHMILLIS(Left(received, 19), 'yyyy-MM-dd''T''HH:mm:ss', 'UTC') AS t, temp, hum, rssi
  FROM JSON_TABLE(@HTTP_BODY) WITH (
    dev String '$.end_device_ids.device_id',
    received String '$.received_at',
    temp Double '$.uplink_message.decoded_payload.temperature_1',
    hum Double '$.uplink_message.decoded_payload.relative_humidity_2',
    rssi Long '$.uplink_message.rx_metadata[0].rssi'))
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = '/Components/lorawan')
SELECT dev, 'temperature', t, temp FROM up
UNION ALL SELECT dev, 'humidity', t, hum FROM up
UNION ALL SELECT dev, 'rssi', t, rssi FROM up;
-- ["greenhouse-1","temperature",1772366398000,21.5]
-- ["greenhouse-1","humidity",1772366398000,50]
-- ["greenhouse-1","rssi",1772366398000,-97]
