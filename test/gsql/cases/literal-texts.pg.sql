select 'it''s', 'no column of that name', '', 'ü€😀';
