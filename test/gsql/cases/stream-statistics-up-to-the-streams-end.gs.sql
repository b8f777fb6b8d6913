SELECT id, time, sample(Range(sd=-1d, ed=streamEd), cycleId='day', stat='max') FROM Stream WHERE id = 'temp' ORDER BY time;
-- ["temp",1772319600000,21.5]
-- ["temp",1772406000000,23.5]
