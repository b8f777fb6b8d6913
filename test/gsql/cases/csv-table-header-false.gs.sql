SELECT n FROM CSV_TABLE('a
b', FALSE) WITH (1 n STRING);
-- ["a"]
-- ["b"]
