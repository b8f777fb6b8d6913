SELECT time FROM Stream WHERE id = 'temp' AND sample(Range(currentCycle='day')) IS NOT NULL ORDER BY time;
-- [1772359200000]
-- [1772362800000]
-- [1772366400000]
