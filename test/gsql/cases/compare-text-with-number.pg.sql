select true, true, true, true, true;
