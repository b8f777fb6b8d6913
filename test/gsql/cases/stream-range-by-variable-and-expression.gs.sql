SET @from = 1772280000000; SELECT time FROM Stream WHERE id = 'temp' AND sample(Range(ed=@from + 1, sd=DateAdd(@from, -1, 'day'))) > 0;
-- [1772280000000]
