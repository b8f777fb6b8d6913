SELECT Round(2.5), Round(-2.5), Round(2.345, 2), Round(7, 2), Floor(-1.5), Ceil(1.2), Trunc(-1.9), Round(1234.5, -2);
-- [3,-3,2.35,7,-2,2,-1,1200]
