SELECT d, n FROM JSON_TABLE('[1,"x"]') WITH(d String '$', n String '$[1]') UNION ALL SELECT d, NULL FROM JSON_TABLE('42') WITH(d String '$');
-- ["[1,\"x\"]","x"]
-- ["42",null]
