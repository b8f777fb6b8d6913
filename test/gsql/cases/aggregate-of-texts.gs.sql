SELECT Min(v), Max(v), Sum(v), Avg(v) FROM (SELECT '10' v UNION ALL SELECT '9');
-- ["10","9",19,9.5]
