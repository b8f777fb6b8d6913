select true, true, true, false, true, false, true, null::boolean;
