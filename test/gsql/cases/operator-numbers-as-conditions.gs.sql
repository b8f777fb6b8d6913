SELECT 5 AND 1, 0 OR 0.0, NOT 3, NOT 0, If(2, 'yes', 'no');
-- [true,false,false,true,"yes"]
