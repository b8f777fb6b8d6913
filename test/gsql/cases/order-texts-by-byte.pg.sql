select v from (values ('b'), ('A'), ('a'), ('ä'), ('Z')) x(v) order by v collate "C";
