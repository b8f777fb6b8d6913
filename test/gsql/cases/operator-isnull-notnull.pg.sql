select true, false, false, true, false;
