SELECT TRUE, false, NULL, NOT TRUE;
-- [true,false,null,false]
