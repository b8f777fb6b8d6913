SELECT QueryParam('a=1&b=%C3%BCber+x&c&a=2', 'a'), QueryParam('a=1&b=%C3%BCber+x&c', 'b'), QueryParam('a=1&c', 'c'), QueryParam('?a=1', 'a'), QueryParam('a=1', 'z'), QueryParam('x%20y=%26', 'x y');
-- ["1","über x","","1",null,"&"]
