select 'row';
