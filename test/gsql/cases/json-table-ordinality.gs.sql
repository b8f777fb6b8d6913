SELECT n, v FROM JSON_TABLE('["a","b","c"]') WITH(n Ordinality, v String '$[*]');
-- [1,"a"]
-- [2,"b"]
-- [3,"c"]
