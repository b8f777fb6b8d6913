select 500, 123, 123;
