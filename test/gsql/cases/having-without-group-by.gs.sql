SELECT Count(*) FROM (SELECT 1) HAVING Count(*) > 5;
