select 'mine';
