SELECT a, b, c FROM CSV_TABLE('x') WITH (1 a STRING, 1 b STRING, 9 c STRING);
-- ["x","x",null]
