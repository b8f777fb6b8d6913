select round(1234.5, -2)::float8, round(1250, -2)::bigint, round(-1250, -2)::bigint, round(1234.567, 2)::float8, round(12, -5)::bigint, 0;
