select 2, 'two';
