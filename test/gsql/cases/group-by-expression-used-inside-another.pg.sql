select left(k, 1) || '!', count(*) from (values ('ab'), ('ac'), ('b')) x(k) group by left(k, 1) order by left(k, 1) desc;
