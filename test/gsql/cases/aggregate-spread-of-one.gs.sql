SELECT StdDev(v), Variance(v) FROM (SELECT 2 v);
-- [null,null]
