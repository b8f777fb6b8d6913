SELECT Abs(-5), Abs(-5.5), Sign(-3), Sign(0.0), Sign(2.5), Mod(7, 3), Mod(7.5, 2), Mod(-7, 3);
-- [5,5.5,-1,0,1,1,1.5,-1]
