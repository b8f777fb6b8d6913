SELECT id, time FROM Stream WHERE id IN ('state', 'set') AND sample(Range(sd=-30m, ed=streamEd)) IS NOT NULL ORDER BY id, time;
-- ["set",1772300000000]
-- ["state",1772366400000]
