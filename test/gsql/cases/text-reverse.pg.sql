select 'cba', '😀üa', '';
