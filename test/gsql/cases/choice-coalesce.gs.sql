SELECT Coalesce(NULL, NULL, 3), Coalesce('a', 'b'), Coalesce(NULL, 'x'), Coalesce(NULL), IfNull(NULL, 0), IfNull(5, 0), NullIf(1, 1), NullIf(1, 2), NullIf('', '');
-- [3,"a","x",null,0,5,null,1,null]
