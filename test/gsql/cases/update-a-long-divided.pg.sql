select 'boiler', 'count', 1772366400000, long / 2 from sample where stream_key = 4;
