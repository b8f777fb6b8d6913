SELECT v FROM (SELECT 'b' v UNION ALL SELECT 'A' UNION ALL SELECT 'a' UNION ALL SELECT 'ä' UNION ALL SELECT 'Z') ORDER BY v;
-- ["A"]
-- ["Z"]
-- ["a"]
-- ["b"]
-- ["ä"]
