select 'PUT', '1';
