select 'two', null, 2.5::float8, 'number';
