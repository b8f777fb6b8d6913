select 0.463648::float8, 1.107149::float8, 0::float8;
