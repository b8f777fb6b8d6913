SELECT Round(Atan2(1, 2), 6), Round(Atan2(2, 1), 6), Round(Atan2(-1, 0) * 2 + Pi(), 9);
-- [0.463648,1.107149,0]
