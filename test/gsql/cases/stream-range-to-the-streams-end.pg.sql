select * from (values ('set', 1772300000000), ('state', 1772366400000)) x;
