SELECT s FROM JSON_TABLE('{"s":"a\"b\\c\u00fc\n\/"}') WITH(s String '$.s');
-- ["a\"b\\cü\n/"]
