select a from (values ('x', 1, 2), ('y', 1, 1), ('z', 0, 5)) t(a, b, c) order by b desc, c * -1;
