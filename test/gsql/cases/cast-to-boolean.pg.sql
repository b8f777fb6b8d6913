select true, false, true, false, false;
