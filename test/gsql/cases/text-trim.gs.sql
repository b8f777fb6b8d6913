SELECT Trim('  a b  '), LTrim('  a  '), RTrim('  a  '), Trim('xxaxx', 'x'), LTrim('xyxa', 'xy'), RTrim('a..', '.');
-- ["a b","a  ","  a","a","a","a"]
