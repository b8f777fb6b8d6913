SET @from = DateAdd(1772280000000, -1, 'day'); SET @to = 1772280000000 + 1;
SELECT time FROM Stream WHERE id = 'temp' AND sample(Range(ed=@to, sd=@from)) > 0;
-- [1772280000000]
