select 1234.56::float8;
