select 'a,b,c', 'a / b / c', '1,2.5';
