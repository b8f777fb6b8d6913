SELECT Left(k, 1) + '!', Count(*) FROM (SELECT 'ab' k UNION ALL SELECT 'ac' UNION ALL SELECT 'b') GROUP BY Left(k, 1) ORDER BY Left(k, 1) DESC;
-- ["b!",1]
-- ["a!",2]
