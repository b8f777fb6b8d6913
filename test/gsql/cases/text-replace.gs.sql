SELECT Replace('21,5', ',', '.'), Replace('aaa', 'a', 'bb'), Replace('abc', '', 'x'), Replace('a.c', '.', '*'), Replace('abc', 'b', NULL);
-- ["21.5","bbbbbb","abc","a*c",null]
