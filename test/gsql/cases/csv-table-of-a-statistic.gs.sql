SELECT 'temp,max', t.v
FROM CSV_TABLE((SELECT sample(cycleId='day', stat='max') FROM Stream WHERE id IN (SELECT a FROM CSV_TABLE('temp') WITH (1 a STRING))))
  WITH (1 v DOUBLE) t;
-- ["temp,max",23.5]
