SELECT Abs(-sample), Round(sample), Round(sample, -3), Floor(sample), Ceil(sample), Trunc(sample), Mod(sample, 10), Sign(sample), Sqrt(lastValue - 9007199254740989) FROM Stream WHERE id = 'count';
-- ["9007199254740993n","9007199254740993n","9007199254741000n","9007199254740993n","9007199254740993n","9007199254740993n",3,1,2]
