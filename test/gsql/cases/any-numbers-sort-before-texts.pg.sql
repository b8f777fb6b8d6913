select true, true, true, true, 'x', 5;
