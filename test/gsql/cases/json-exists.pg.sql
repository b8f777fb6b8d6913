select true, true, false, false, null::boolean, false;
