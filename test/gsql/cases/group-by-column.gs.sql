SELECT k, Sum(v) FROM (SELECT 'a' k, 1 v UNION ALL SELECT 'b', 2 UNION ALL SELECT 'a', 3) GROUP BY k ORDER BY k;
-- ["a",4]
-- ["b",2]
