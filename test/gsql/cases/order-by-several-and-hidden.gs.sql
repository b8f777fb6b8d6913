SELECT a FROM (SELECT 'x' a, 1 b, 2 c UNION ALL SELECT 'y', 1, 1 UNION ALL SELECT 'z', 0, 5) ORDER BY b DESC, c * -1;
-- ["x"]
-- ["y"]
-- ["z"]
