select true, true, true, true, true, true, true, false;
