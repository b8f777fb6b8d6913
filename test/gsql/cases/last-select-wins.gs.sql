SELECT 'first'; SELECT 'second'; SET @x = 1
-- ["second"]
