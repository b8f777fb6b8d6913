select true, false, true, true, true, false;
