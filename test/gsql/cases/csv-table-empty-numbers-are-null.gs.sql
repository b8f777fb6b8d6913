SELECT a, v, b, s FROM CSV_TABLE('1,,,""
2,,true,x') WITH (1 a LONG, 2 v DOUBLE, 3 b BOOLEAN, 4 s STRING);
-- [1,null,null,""]
-- [2,null,true,"x"]
