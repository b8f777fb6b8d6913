SELECT parseCsv('a;b', 2, ';'), parseCsv('a||b||c', 3, '||'), parseCsv(parseCsv('t=1;h=2', 2, ';'), 2, '='), parseCsv('a;"b;c"', 2, ';'), parseCsv('a	b', 2, '	');
-- ["b","c","2","b;c","b"]
