SELECT parseCsv('{"a":1,"b":2}', 2), parseCsv('"a,b"c,d', 1), parseCsv('"a,b"c,d', 2), parseCsv('"5" ,x', 1), parseCsv('x,5" pipe', 2), parseCsv('"b', 1), parseCsv('"a;b";c', 1, ';'), parseCsv('"a"', 1), parseCsv('"a""",b', 2), parseCsv('"a" b', 1, '');
-- ["\"b\":2}","\"a","b\"c","5 ","5\" pipe","\"b","a;b","a","b","\"a\" b"]
