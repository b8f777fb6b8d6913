SELECT Max(lastValue), Min(lastValue), Count(lastValue), Max(If(id = 'state', NULL, lastValue)) FROM Stream;
-- ["on",false,6,"9007199254740993n"]
