select 2, 3, '1,2';
