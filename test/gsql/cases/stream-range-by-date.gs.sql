-- In the script's zone, Europe/Berlin, where 1772280000000 is one o'clock in the afternoon.
SELECT time FROM Stream WHERE id = 'temp' AND sample(Range(sd='2026-02-28', ed="2026-02-28T13:00:01")) > 0 ORDER BY time;
-- [1772280000000]
