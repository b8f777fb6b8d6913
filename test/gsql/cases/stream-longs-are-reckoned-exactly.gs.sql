SELECT sample + 1, sample - 1, sample * 1, sample / 1, sample % 10, -sample, +sample, lastValue + 1 FROM Stream WHERE id = 'count';
-- ["9007199254740994n","9007199254740992n","9007199254740993n","9007199254740993n",3,"-9007199254740993n","9007199254740993n","9007199254740994n"]
