select round(stddev_samp(v), 6)::float8, var_samp(v)::float8 from (values (2), (4), (9)) x(v);
