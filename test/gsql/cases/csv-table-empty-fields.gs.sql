SELECT a, b, c FROM CSV_TABLE('x,,
"","y"') WITH (1 a STRING, 2 b STRING, 3 c LONG);
-- ["x",null,null]
-- ["","y",null]
