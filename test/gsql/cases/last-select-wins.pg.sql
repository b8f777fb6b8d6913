select 'second';
