SELECT 'Hello' LIKE 'hello', 'Hello' LIKE 'h%o', 'Hello' LIKE 'h_llo', 'Hello' LIKE 'ell', 'a\b' LIKE 'a\b', 'Ä' LIKE 'ä', 12 LIKE '1%', NULL LIKE 'x';
-- [true,true,true,false,true,false,true,null]
