select true, false, false;
