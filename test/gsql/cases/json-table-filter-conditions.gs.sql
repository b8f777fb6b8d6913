SELECT n FROM JSON_TABLE('[{"n":1,"v":5},{"n":2,"v":15,"x":{"y":true}},{"n":3,"v":25},{"n":4}]') WITH(n Long '$[?(@.v>=10 && @.v<20 || !@.v || @.x.y==true)].n');
-- [2]
-- [4]
