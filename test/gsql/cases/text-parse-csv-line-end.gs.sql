SET @end = JSON_Value('{"x":"\r\n"}', '$.x');
SELECT parseCsv('x,y' + @end, 2), parseCsv('x,"y"' + @end, 2), parseCsv('x,' + @end, 2), parseCsv('x,y' + @end, 1),
  parseCsv('"x' + @end + '"', 1) = 'x' + @end, parseCsv('a' + @end + 'b' + @end, 3, @end), parseCsv(@end, 1);
-- ["y","y","","x",true,"",""]
