SELECT id, Group_Concat(sample(Range(sd=-1y))), Count(sample) FROM Stream WHERE id IN ('state', 'on') GROUP BY id ORDER BY id;
-- ["on","true,false",2]
-- ["state","on,off,on",3]
