SELECT v FROM JSON_TABLE('{"list":[{"k":"temp","v":21},{"k":"hum","v":50},{"k":"temp","v":22}]}') WITH(v Long '$.list[?(@.k=="temp")].v');
-- [21]
-- [22]
