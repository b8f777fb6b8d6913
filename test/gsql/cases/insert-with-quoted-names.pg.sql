select 'd', 's', 7, 5;
