SELECT v, n FROM CSV_TABLE('name,value
a,1
b,2', TRUE) WITH (2 v LONG, 1 n STRING);
-- [1,"a"]
-- [2,"b"]
