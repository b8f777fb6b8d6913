select 'x' in ('5', 'y'), 'x' not in ('x'), true;
