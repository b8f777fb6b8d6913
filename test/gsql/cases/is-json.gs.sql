SELECT IsJSON('{"a":1}'), IsJSON('[1,]'), IsJSON(''), IsJSON('12'), IsJSON(NULL);
-- [true,false,false,true,null]
