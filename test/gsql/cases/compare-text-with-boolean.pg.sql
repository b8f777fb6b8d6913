select true, true, false;
