select * from (values ('d', 2), ('d', 4)) x;
