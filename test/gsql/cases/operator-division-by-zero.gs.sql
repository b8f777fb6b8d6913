SELECT 1 / 0, 1.0 / 0, 1 % 0, 5.5 % 0, Mod(5, 0);
-- [null,null,null,null,null]
