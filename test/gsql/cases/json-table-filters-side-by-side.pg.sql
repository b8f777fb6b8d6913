select 21, 50;
