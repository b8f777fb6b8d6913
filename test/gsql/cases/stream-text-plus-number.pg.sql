select text || 1, text || 1.5 from sample where stream_key = 2 order by time desc limit 1;
