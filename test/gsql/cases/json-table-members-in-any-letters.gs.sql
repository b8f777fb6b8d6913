SELECT g, t FROM JSON_TABLE('{"größe":5,"温度":{"ö":21.5}}') WITH(g Long '$.größe', t Double '$.温度.ö');
-- [5,21.5]
