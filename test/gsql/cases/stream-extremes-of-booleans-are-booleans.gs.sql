SELECT Max(sample(Range(sd=-1y))), Min(sample), Sum(sample), Max(lastValue) FROM Stream WHERE id = 'on';
-- [true,false,1,false]
