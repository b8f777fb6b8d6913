-- Now is noon: the day and the month that are going on belong to the range, with their future ends.
SELECT id, time, sample(Range(sd=-1d, ed=now), cycleId='day', stat='max') FROM Stream WHERE id = 'temp'
UNION ALL SELECT id, time, sample(Range(sd=-1y, ed=now), cycleId='month', stat='max') FROM Stream WHERE id = 'temp' ORDER BY time;
-- ["temp",1772319600000,21.5]
-- ["temp",1772319600000,21.5]
-- ["temp",1772406000000,23.5]
-- ["temp",1774994400000,23.5]
