select 'boiler', 'state', 1772359200000, 'x';
