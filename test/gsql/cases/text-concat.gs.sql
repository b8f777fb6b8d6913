SELECT Concat('a', 1, NULL, TRUE, 2.5), Concat(NULL, NULL), Concat('x');
-- ["a1true2.5","","x"]
