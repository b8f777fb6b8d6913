SELECT t, v FROM JSON_TABLE('[{"t":1,"v":10},{"t":2,"v":20},{"t":3}]') WITH(t Long '$[*].t', v Double '$[*].v');
-- [1,10]
-- [2,20]
-- [3,null]
