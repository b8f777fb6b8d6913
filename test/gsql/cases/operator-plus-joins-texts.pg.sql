select 'ab', 'a1', '1a', 'a1.5', '1a', 'truex', 'xfalse', null, '3a';
