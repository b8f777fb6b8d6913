SELECT Sum(lastValue), Sum(lastValue * 1.0), Sum(If(id = 'set', 5, lastValue)) FROM Stream WHERE id IN ('temp', 'on', 'set');
-- [89,89,28.5]
