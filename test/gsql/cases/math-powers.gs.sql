SELECT Power(2, 10), Power(2, -1), Sqrt(16), Sqrt(-1), Exp(0), Ln(1), Ln(0), Log10(1000), Power(-8, 0.5), Power(0, -1);
-- [1024,0.5,4,null,1,0,null,3,null,null]
