select 'x', 'x', null;
