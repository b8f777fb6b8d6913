SELECT Count(*), Count(v), Sum(v), Avg(v), Min(v), Max(v) FROM (SELECT 1 v UNION ALL SELECT 2 UNION ALL SELECT NULL UNION ALL SELECT 6);
-- [4,3,9,3,1,6]
