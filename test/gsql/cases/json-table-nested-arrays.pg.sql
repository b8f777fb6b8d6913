select * from (values (1, 10), (1, 11), (3, 30)) x;
