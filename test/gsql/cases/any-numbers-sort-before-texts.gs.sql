SELECT JSON_Value('{"v":21.5}', '$.v') < 'x', JSON_Value('{"v":"x"}', '$.v') > 5, JSON_Value('{"v":"x"}', '$.v') BETWEEN 1 AND 'y', JSON_Value('{"v":true}', '$.v') < 'x', Greatest(JSON_Value('{"v":5}', '$.v'), 'x'), Least(JSON_Value('{"v":5}', '$.v'), 'x');
-- [true,true,true,true,"x",5]
