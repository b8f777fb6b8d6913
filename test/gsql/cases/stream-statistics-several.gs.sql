SELECT time, sample(stat='MIN', Range(last=2), cycleId='day'), sample(cycleId='day', stat='avg'), sample(cycleId='day', stat='nongapcount') FROM Stream WHERE id = 'temp' ORDER BY time;
-- [1772319600000,20.5,21,2]
-- [1772406000000,21.5,22.5,3]
