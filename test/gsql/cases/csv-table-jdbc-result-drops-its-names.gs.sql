SET @JDBC_RESULT = 'id,value
1,10
2,20'; SELECT id, value FROM CSV_TABLE(@JDBC_RESULT) WITH (1 id LONG, 2 value LONG);
-- [1,10]
-- [2,20]
