SELECT id, sample(Range(sd=-1y), cycleId='month', stat='max') / 2, sample(cycleId='month', stat='avg') / 2, sample(cycleId='month', stat='nongapcount') / 2 FROM Stream WHERE id IN ('count', 'kwh', 'on') ORDER BY id;
-- ["count",4503599627370496,4503599627370496,0]
-- ["kwh",2,1.1666666666666667,1]
-- ["on",0,0.25,1]
