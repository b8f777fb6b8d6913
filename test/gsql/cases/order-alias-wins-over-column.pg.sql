select a, -a from (values (1), (2)) t(a) order by -a;
