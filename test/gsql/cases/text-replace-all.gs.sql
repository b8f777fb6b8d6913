SELECT ReplaceAll('a1b22c', '[0-9]+', '#'), ReplaceAll('John Smith', '(\w+) (\w+)', '$2, $1'), ReplaceAll('aaa', 'a', '$0$0'), ReplaceAll('x', 'y', 'z'), ReplaceAll('a.b', '\.', '-');
-- ["a#b#c","Smith, John","aaaaaa","x","a-b"]
