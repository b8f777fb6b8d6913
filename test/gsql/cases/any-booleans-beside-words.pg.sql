select true = 'TRUE'::boolean, false = ' False '::boolean, false, true, 'true'::boolean = true, true, true, false, true;
