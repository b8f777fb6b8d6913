SELECT id, time, sample(Range(last=2)) FROM Stream WHERE id IN ('temp', 'state') ORDER BY id, time;
-- ["state",1772362800000,"off"]
-- ["state",1772366400000,"on"]
-- ["temp",1772362800000,22.5]
-- ["temp",1772366400000,23.5]
