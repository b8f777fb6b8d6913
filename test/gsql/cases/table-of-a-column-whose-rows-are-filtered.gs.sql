SELECT p.k, c.v FROM JSON_TABLE('[{"k":"n","v":"1\n2"},{"k":"t","v":"x"},{"k":"n","v":"3"}]') WITH(k String '$[*].k', v String '$[*].v') p,
  CSV_TABLE(p.v) WITH (1 v LONG) c WHERE c.v > 1 AND p.k = 'n' ORDER BY 2;
-- ["n",2]
-- ["n",3]
