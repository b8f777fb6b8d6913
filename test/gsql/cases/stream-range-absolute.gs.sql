SELECT time, sample(Range(sd=1772280000000, ed=1772283600000)) FROM Stream WHERE id = 'temp';
-- [1772280000000,20.5]
