SELECT StartsWith('hello', 'he'), StartsWith('hello', 'HE'), EndsWith('hello', 'lo'), EndsWith('hello', ''), Contains('hello', 'ell'), Contains('hello', 'z');
-- [true,false,true,true,true,false]
