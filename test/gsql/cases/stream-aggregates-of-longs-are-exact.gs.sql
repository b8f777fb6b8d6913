SELECT Max(sample), Min(sample), Sum(sample), Sum(sample) + 1, Sum(sample + 1), Max(-sample), Max(sample) = 9007199254740993 FROM Stream WHERE id = 'count';
-- ["9007199254740993n","9007199254740993n","9007199254740993n","9007199254740994n","9007199254740994n","-9007199254740993n",true]
