select 'hello äö', 'HELLO ÄÖ';
