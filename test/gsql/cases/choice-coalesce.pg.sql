select 3, 'a', 'x', null, 0, 5, null::bigint, 1, null;
