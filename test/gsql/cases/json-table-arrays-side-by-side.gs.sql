SELECT t, v FROM JSON_TABLE('{"hourly":{"time":[1,2,3],"temperature":[10.5,11]}}') WITH(t Long '$.hourly.time[*]', v Double '$.hourly.temperature[*]');
-- [1,10.5]
-- [2,11]
-- [3,null]
