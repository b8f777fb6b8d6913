select * from (values (0), (43200000), (43201000)) v;
