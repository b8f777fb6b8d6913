SELECT Round(Sin(Pi() / 2), 9), Round(Cos(0), 9), Round(Tan(0), 9), Round(Asin(1) * 2 - Pi(), 9), Acos(2), Round(Atan(1) * 4 - Pi(), 9), Round(Atan2(1, 1) * 4 - Pi(), 9);
-- [1,1,0,0,null,0,0]
