select '21.5', 'bbbbbb', 'abc', 'a*c', null;
