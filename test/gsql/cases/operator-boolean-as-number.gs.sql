SELECT TRUE + TRUE, TRUE * 5, FALSE - 1, TRUE = 1, FALSE < TRUE;
-- [2,5,-1,true,true]
