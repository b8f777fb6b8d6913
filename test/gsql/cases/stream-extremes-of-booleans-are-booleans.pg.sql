select bool_or(num = 1), bool_and(num = 1), sum(num)::int8, false from sample where stream_key = 3;
