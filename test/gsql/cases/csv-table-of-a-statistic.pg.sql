select 'temp,max', max(num)
from sample
where stream_key = 1 and time >= '2026-03-01 00:00+01'
