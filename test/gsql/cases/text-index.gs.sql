SELECT IndexOf('hello', 'l'), IndexOf('hello', 'x'), IndexOf('hello', ''), IndexOf('äö', 'ö'), IndexOf(NULL, 'a');
-- [3,0,1,2,null]
