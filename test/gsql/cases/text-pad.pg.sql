select '007', '7  ', '123', 'axyxyx', 'a';
