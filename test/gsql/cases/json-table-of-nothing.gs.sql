SELECT 'rows' FROM JSON_TABLE(NULL) WITH(a String '$.a') UNION ALL SELECT 'rows' FROM JSON_TABLE('  ') WITH(a String '$.a') UNION ALL SELECT 'rows' FROM JSON_TABLE('{"l":[]}') WITH(a String '$.l[*].a') UNION ALL SELECT 'row' FROM JSON_TABLE('{}') WITH(a String '$.a');
-- ["row"]
