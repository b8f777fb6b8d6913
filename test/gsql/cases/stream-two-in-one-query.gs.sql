SELECT a.time, a.sample, b.sample FROM Stream a JOIN Stream b ON b.cid = a.cid WHERE a.id = 'temp' AND b.id = 'set';
-- [1772366400000,23.5,65.5]
