select 'd', id, 1700000000000 + n, 1 from (values (0, 'long'), (1, 'text'), (2, 'double'), (3, 'any'), (4, 'rounded')) x(n, id);
