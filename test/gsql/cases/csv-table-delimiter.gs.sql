SELECT a, b FROM CSV_TABLE('1;2,5
3;4,5', FALSE, ';') WITH (1 a LONG, 2 b STRING) UNION ALL SELECT a, b FROM CSV_TABLE('1||x', FALSE, '||') WITH (1 a LONG, 2 b STRING);
-- [1,"2,5"]
-- [3,"4,5"]
-- [1,"x"]
