select upper(k), count(*) from (values ('a'), ('A'), ('b')) x(k) group by 1 order by 1;
