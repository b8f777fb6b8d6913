select null, null, null, null, null::bigint, null, null;
