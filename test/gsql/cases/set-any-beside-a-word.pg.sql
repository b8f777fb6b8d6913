select true, 4 = '4'::numeric;
