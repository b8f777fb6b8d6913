SELECT a FROM CSV_TABLE('
1

  
2
') WITH (1 a LONG);
-- [1]
-- [2]
