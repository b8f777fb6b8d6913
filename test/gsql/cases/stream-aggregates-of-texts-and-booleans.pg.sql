select * from (values ('on', 'true,false', 2), ('state', 'on,off,on', 3)) x;
