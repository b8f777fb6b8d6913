SET @from = '2026-02-28T13:00+01:00'; SET @to = '1772283600000';
SELECT time FROM Stream WHERE id = 'temp' AND sample(Range(sd=@from, ed=@to)) > 0 ORDER BY time;
-- [1772280000000]
