SELECT LEFT('abc', 1), left('abc', 1), LeFt('abc', 1), PARSECSV('a,b', 1), toepochmillis('1970-01-01', 'yyyy-MM-dd', 'UTC');
-- ["a","a","a","a",0]
