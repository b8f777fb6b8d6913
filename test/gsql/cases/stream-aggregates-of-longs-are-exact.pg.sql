select max(long), min(long), sum(long)::int8, sum(long)::int8 + 1, sum(long + 1)::int8, max(-long), max(long) = 9007199254740993 from sample where stream_key = 4;
