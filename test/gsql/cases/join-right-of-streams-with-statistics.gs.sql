SELECT s.id, x.id, sample(Range(sd=-1d, ed=now), cycleId='day', stat='max') m FROM Stream s RIGHT JOIN (SELECT 'temp' id UNION ALL SELECT 'nope') x ON s.id = x.id WHERE s.id IS NULL;
-- [null,"nope",null]
