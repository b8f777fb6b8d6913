SELECT id, lastValue NOT IN ('on', 'x'), lastValue NOT IN (SELECT k FROM CSV_TABLE('on
x') WITH (1 k STRING)) FROM Stream WHERE lastValue <> 'off' ORDER BY id;
-- ["count",true,true]
-- ["kwh",true,true]
-- ["on",true,true]
-- ["set",true,true]
-- ["state",false,false]
-- ["temp",true,true]
