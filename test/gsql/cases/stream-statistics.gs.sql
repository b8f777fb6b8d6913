SELECT id, timeSd, time, sample(Range(sd=-3d, ed=1772409600000), cycleId='day', stat='max') FROM Stream WHERE id = 'temp' ORDER BY time;
-- ["temp",1772233200000,1772319600000,21.5]
-- ["temp",1772319600000,1772406000000,23.5]
