select 'y', 'y', '', 'x', true, '', '';
