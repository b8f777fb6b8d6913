SET @a = '[1,2'; SELECT v FROM JSON_TABLE(@a + ',3]') WITH(v Long '$[*]');
-- [1]
-- [2]
-- [3]
