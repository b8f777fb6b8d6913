SELECT NULL IS NULL, 1 IS NULL, 1 IS NOT NULL, '' IS NULL;
-- [true,false,true,false]
