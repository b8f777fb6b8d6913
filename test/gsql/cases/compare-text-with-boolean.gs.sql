SELECT 'true' = TRUE, '0' = FALSE, 'False' = TRUE;
-- [true,true,false]
