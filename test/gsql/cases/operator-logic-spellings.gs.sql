SELECT TRUE AND FALSE, TRUE && TRUE, TRUE OR FALSE, FALSE || TRUE, NOT FALSE, !TRUE, !1 = 2;
-- [false,true,true,true,true,false,true]
