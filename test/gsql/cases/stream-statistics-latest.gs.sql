SELECT id, sample(cycleId='hour', stat='last'), time FROM Stream WHERE cid = 'boiler' AND id IN ('temp', 'state', 'on') ORDER BY id;
-- ["on",false,1772370000000]
-- ["state","on",1772370000000]
-- ["temp",23.5,1772370000000]
