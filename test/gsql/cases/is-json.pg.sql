select true, false, false, true, null::boolean;
