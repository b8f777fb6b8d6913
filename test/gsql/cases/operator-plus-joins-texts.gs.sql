SELECT 'a' + 'b', 'a' + 1, 1 + 'a', 'a' + 1.5, 1.0 + 'a', TRUE + 'x', 'x' + FALSE, 'a' + NULL, 1 + 2 + 'a';
-- ["ab","a1","1a","a1.5","1a","truex","xfalse",null,"3a"]
