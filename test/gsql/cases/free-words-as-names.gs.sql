SELECT end, first, last, left, values, set, time FROM (SELECT 1 AS end, 2 AS first, 3 AS last, 4 AS left, 5 AS values, 6 AS set, 7 AS time);
-- [1,2,3,4,5,6,7]
