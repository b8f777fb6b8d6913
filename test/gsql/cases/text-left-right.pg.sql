select 'he', 'lo', 'hello', '', '', 'äö', '12';
