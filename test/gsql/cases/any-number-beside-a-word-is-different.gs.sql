SELECT JSON_Value('{"v":21.5}', '$.v') <> 'x', JSON_Value('{"v":21.5}', '$.v') = 'x', NOT (JSON_Value('{"v":21.5}', '$.v') = 'x'), JSON_Value('{"v":21.5}', '$.v') NOT IN ('ERR', 'N/A'), JSON_Value('{"v":21.5}', '$.v') IN ('ERR', NULL), JSON_Value('{"v":"B"}', '$.v') <> 4, JSON_Value('{"v":4}', '$.v') = NULL;
-- [true,false,true,true,null,true,null]
