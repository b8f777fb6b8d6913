select * from (values ('x,y', 'say "hi"'), (E'two\nlines', '5" pipe')) x;
