select * from (values ('[1,"x"]', 'x'), ('42', null)) x;
