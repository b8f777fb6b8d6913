SELECT Count(*), Sum(v), Avg(v), Max(v), Group_Concat(v), First(v) FROM (SELECT 1 v) WHERE v > 5;
-- [0,null,null,null,null,null]
