select '"b":2}', '"a', 'b"c', '5 ', '5" pipe', '"b', 'a;b', 'a', 'b', '"a" b';
