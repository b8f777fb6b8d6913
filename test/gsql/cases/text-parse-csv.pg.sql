select 'b', null, '', 'b,c', 'say "hi"', null, '', null;
