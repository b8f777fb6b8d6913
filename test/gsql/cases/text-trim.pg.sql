select 'a b', 'a  ', '  a', 'a', 'a', 'a';
