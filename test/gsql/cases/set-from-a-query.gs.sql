SET @m = (SELECT Max(v) FROM (SELECT 1 v UNION ALL SELECT 9)); SET @none = (SELECT 1 WHERE FALSE); SELECT @m + 1, @none IS NULL;
-- [10,true]
