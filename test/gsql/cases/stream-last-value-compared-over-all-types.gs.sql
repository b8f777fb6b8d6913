SELECT id FROM Stream WHERE lastValue > 20 ORDER BY id;
-- ["count"]
-- ["set"]
-- ["state"]
-- ["temp"]
