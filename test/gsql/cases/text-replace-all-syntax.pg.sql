select 'axc', 'ok', 'L12_', 'foo baz', 'x', 'tel', 'a$b';
