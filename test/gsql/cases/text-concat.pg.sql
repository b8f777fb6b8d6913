select 'a1true2.5', '', 'x';
