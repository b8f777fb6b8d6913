select true, false, true, true, null::boolean, true, null::boolean;
