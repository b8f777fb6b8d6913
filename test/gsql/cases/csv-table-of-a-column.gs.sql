SELECT j.dev, c.v FROM JSON_TABLE('{"dev":"d","data":"1,2\n3,4"}') WITH(dev String '$.dev', data String '$.data') j, CSV_TABLE(j.data) WITH (2 v LONG) c ORDER BY v;
-- ["d",2]
-- ["d",4]
