select true, 1772366400000;
