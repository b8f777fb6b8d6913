select 'v', 'z', 'v', 'v', 'v';
