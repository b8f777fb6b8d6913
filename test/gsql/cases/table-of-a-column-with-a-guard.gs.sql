SELECT p.k, c.v FROM JSON_TABLE('[{"k":"7","v":"1"},{"k":"x","v":"y"},{"k":"8","v":"z"}]') WITH(k String '$[*].k', v String '$[*].v') p,
  CSV_TABLE(p.v) WITH (1 v LONG) c WHERE p.k <> 'x' AND Cast(p.k AS LONG) < 8;
-- ["7",1]
