SELECT parseCsv('a,b,c', 2), parseCsv('a,b', 3), parseCsv('a,,c', 2), parseCsv('a,"b,c",d', 2), parseCsv('"say ""hi""",x', 1), parseCsv('a,b', 0), parseCsv('', 1), parseCsv(NULL, 1);
-- ["b",null,"","b,c","say \"hi\"",null,"",null]
