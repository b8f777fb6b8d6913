SELECT Count(*), Min(time), Max(time) FROM Stream WHERE id = 'temp' AND sample(Range(sd=-1y)) IS NOT NULL;
-- [5,1772280000000,1772366400000]
