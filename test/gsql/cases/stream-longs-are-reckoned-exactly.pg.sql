select long + 1, long - 1, long * 1, long / 1, long % 10, -long, long, long + 1 from sample where stream_key = 4;
