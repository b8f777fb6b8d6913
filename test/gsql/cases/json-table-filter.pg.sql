select * from (values (21), (22)) x;
