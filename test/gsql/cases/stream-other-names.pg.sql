select 'boiler', 'The boiler', 'temp', 'Temperature', '/Components/house';
