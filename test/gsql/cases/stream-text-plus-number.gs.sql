SELECT sample + 1, lastValue + 1.5 FROM Stream WHERE id = 'state';
-- ["on1","on1.5"]
