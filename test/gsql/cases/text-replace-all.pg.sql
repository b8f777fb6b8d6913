select 'a#b#c', 'Smith, John', 'aaaaaa', 'x', 'a-b';
