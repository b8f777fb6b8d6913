select 'changed', 6, '6changed';
