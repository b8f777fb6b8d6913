select * from (values ('a'), ('b')) x;
