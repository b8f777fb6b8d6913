select true, false, true, true, null::boolean, true, false;
