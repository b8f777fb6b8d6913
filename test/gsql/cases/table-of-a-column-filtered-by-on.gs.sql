SELECT p.k, c.v, q.n FROM JSON_TABLE('[{"k":"n","v":"1"},{"k":"t","v":"x"},{"k":"u","v":"y"}]') WITH(k String '$[*].k', v String '$[*].v') p
  LEFT JOIN CSV_TABLE(p.v) WITH (1 v LONG) c ON p.k = 'n'
  JOIN CSV_TABLE('n,1
t,2') WITH (1 k STRING, 2 n LONG) q ON q.k = p.k AND p.k <> 'u' ORDER BY 3;
-- ["n",1,1]
-- ["t",null,2]
