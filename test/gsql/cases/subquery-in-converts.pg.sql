select true, true, null::boolean, true;
