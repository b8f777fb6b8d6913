select 'boiler', 'count', 1772366400000, long + 1 from sample where stream_key = 4;
