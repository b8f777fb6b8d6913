SELECT DateTrunc('day', 1774749600000) AS spring, DateTrunc('hour', 1792893600000 + 1800000) - 1792893600000 AS second_two_o_clock;
-- [1774738800000,0]
