select * from (values ('count'), ('set'), ('temp')) x;
