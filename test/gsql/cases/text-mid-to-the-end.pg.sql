select substr('abcdef', 3), substr('abcdef', 1), substr('abcdef', 7);
