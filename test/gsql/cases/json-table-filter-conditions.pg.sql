select * from (values (2), (4)) x;
