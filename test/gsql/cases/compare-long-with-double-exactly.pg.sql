select 9007199254740993 = 9007199254740992::numeric, true, true, true, true, false, false, true, true, true, null::boolean;
