select 4 = '4'::numeric, 4 = ' 4.0 '::numeric, '4'::numeric = 4, '4' = '4.0', true, 9007199254740993 = '9007199254740992'::numeric, 10 > '9'::numeric, '10' > '9' collate "C";
