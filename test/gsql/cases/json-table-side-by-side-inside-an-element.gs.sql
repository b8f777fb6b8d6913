SELECT id, t, v FROM JSON_TABLE('[{"id":"a","t":[1,2],"v":[5]},{"id":"b","t":[3],"v":[6,7]}]') WITH(id String '$[*].id', t Long '$[*].t[*]', v Long '$[*].v[*]');
-- ["a",1,5]
-- ["a",2,null]
-- ["b",3,6]
-- ["b",null,7]
