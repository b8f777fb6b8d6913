SELECT id FROM Stream WHERE lastValue = 'on' OR lastValue = '4' ORDER BY id;
-- ["kwh"]
-- ["state"]
