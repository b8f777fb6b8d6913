SELECT s.time, j.v FROM Stream s, JSON_TABLE(If(Cast(s.sample AS STRING) = 'on', '{"v":1}', '{"v":0}')) WITH(v Long '$.v') j WHERE s.id = 'state';
-- [1772366400000,1]
