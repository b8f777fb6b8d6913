select 'boiler', 'T';
