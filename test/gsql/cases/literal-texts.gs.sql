SELECT 'it''s', "no column of that name", '', 'ü€😀';
-- ["it's","no column of that name","","ü€😀"]
