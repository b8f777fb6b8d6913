SELECT cid, id, Count(*), Avg(sample(Range(sd=-1y))), Max(sample), First(sample), Last(sample), Min(time) FROM Stream WHERE id IN ('temp', 'kwh') GROUP BY cid, id ORDER BY cid;
-- ["boiler","temp",5,21.9,23.5,20.5,23.5,1772280000000]
-- ["meter","kwh",4,2.3333333333333335,4,1,4,1772355600000]
