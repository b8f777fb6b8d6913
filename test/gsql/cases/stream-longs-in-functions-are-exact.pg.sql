select long, long, round(long::numeric, -3)::int8, long, long, long, long % 10, 1, sqrt(4::float8) from sample where stream_key = 4;
