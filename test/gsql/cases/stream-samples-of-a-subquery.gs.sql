SELECT m, Count(*) FROM (SELECT Month(time, 'UTC') AS m, sample(Range(sd=-1y)) AS v FROM Stream WHERE id = 'temp') GROUP BY m ORDER BY m;
-- [2,2]
-- [3,3]
