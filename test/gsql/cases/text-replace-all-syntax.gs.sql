SELECT ReplaceAll('aBc', '(?i)b', 'x'), ReplaceAll('a+b', '\Qa+b\E', 'ok'), ReplaceAll('ab12_', '\p{L}+', 'L'), ReplaceAll('foo bar', '\bbar\b', 'baz'), ReplaceAll('abab', '(?:ab){2}', 'x'), ReplaceAll('tel', '[^[:alpha:]]', ''), ReplaceAll('a$b', '\$', '\$');
-- ["axc","ok","L12_","foo baz","x","tel","a$b"]
