select 'b', 1, 2, null::bigint, 'yes';
