select * from (values ('x', null, null::bigint), ('', 'y', null)) x;
