SELECT NULL + 1, NULL * 2.5, NULL = NULL, NULL AND FALSE, NULL OR TRUE, NULL AND TRUE, -NULL;
-- [null,null,null,false,true,null,null]
