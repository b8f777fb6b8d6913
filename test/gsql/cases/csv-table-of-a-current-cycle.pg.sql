select num
from sample
where stream_key = 1 and time >= '2026-03-01 00:00+01' and time < '2026-03-02 00:00+01'
order by num
