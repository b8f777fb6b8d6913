SELECT id, lastValue * 2, '=' + lastValue, lastValue > 20 FROM Stream WHERE id IN ('temp', 'set') ORDER BY id;
-- ["set",131,"=65.5",true]
-- ["temp",47,"=23.5",true]
