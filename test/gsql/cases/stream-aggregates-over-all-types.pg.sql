select 'on', false, 6, max(long) from sample where stream_key = 4;
