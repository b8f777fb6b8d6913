select * from (values (1, 2), (1, 3), (4, 1), (4, 4)) x;
