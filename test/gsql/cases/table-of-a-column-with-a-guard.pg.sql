select '7', 1;
