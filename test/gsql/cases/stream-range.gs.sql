SELECT time, sample(Range(sd=-1d, ed=now)) FROM Stream WHERE cid = 'boiler' AND id = 'temp' ORDER BY time;
-- [1772280000000,20.5]
-- [1772283600000,21.5]
-- [1772359200000,21.5]
-- [1772362800000,22.5]
