select false, true, true, true, true, false, true;
