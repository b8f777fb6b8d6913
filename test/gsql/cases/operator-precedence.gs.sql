SELECT 1 + 2 * 3, (1 + 2) * 3, -2 * 3, 2 - 3 - 4, 16 / 4 / 2, NOT 1 = 2, TRUE OR FALSE AND FALSE, 1 + 1 = 2 AND 3 > 2;
-- [7,9,-6,-5,2,true,true,true]
