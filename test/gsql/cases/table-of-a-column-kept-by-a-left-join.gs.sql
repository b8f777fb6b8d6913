SELECT p.k, c.v, d.w FROM JSON_TABLE('[{"k":"n","v":"1"},{"k":"t","v":"2"}]') WITH(k String '$[*].k', v String '$[*].v') p
  LEFT JOIN CSV_TABLE(p.v) WITH (1 v LONG) c ON p.k = 'n'
  LEFT JOIN CSV_TABLE(p.v) WITH (1 w LONG) d ON c.v IS NULL AND p.k IN (SELECT 't') WHERE d.w = 2 OR d.w IS NULL ORDER BY 1;
-- ["n",1,null]
-- ["t",null,2]
