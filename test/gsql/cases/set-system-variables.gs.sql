SET @HTTP_METHOD = 'PUT'; SET @http_query_string = 'a=1'; SELECT @HTTP_METHOD, QueryParam(@HTTP_QUERY_STRING, 'a');
-- ["PUT","1"]
