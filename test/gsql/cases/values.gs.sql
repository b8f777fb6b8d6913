VALUES (1, 'a'), (2, NULL) ORDER BY column1 DESC;
-- [2,null]
-- [1,"a"]
