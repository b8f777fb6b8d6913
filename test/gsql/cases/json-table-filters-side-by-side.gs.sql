SELECT t, h FROM JSON_TABLE('{"list":[{"k":"temp","v":21},{"k":"hum","v":50}]}') WITH(t Long '$.list[?(@.k=="temp")].v', h Long '$.list[?(@.k==''hum'')].v');
-- [21,50]
