SELECT dev, v FROM JSON_TABLE('{"dev":"d","list":[{"v":1},{"v":2}]}') WITH(dev String '$.dev', v Long '$.list[*].v');
-- ["d",1]
-- ["d",2]
