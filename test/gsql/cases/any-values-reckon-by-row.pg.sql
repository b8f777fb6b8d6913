select 6::float8, true;
