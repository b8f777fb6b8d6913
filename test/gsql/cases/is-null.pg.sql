select true, false, true, false;
