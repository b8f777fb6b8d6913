SELECT Len('hello'), Len(''), Len('😀ü'), Len(NULL), Len(1234);
-- [5,0,2,null,4]
