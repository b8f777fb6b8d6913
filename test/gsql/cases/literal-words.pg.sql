select true, false, null, false;
