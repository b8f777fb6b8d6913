select * from (values ('kwh'), ('state')) x;
