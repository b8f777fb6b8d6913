select 10, true;
