select distinct v, upper(k) as u from (values (1, 'a'), (1, 'A'), (2, 'b')) x(v, k) order by u desc;
