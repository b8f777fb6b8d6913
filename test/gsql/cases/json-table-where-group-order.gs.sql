SELECT k, Sum(v) FROM JSON_TABLE('[{"k":"a","v":1},{"k":"b","v":5},{"k":"a","v":2},{"k":"c","v":0}]') WITH(k String '$[*].k', v Long '$[*].v') WHERE v > 0 GROUP BY k ORDER BY 2 DESC;
-- ["b",5]
-- ["a",3]
