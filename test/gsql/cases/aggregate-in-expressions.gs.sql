SELECT Max(v) - Min(v) + 1, 'n=' + Count(*), If(Count(*) > 2, 'many', 'few'), Round(Avg(v) * 2, 1) FROM (SELECT 1 v UNION ALL SELECT 5 UNION ALL SELECT 6);
-- [6,"n=3","many",8]
