SELECT Count(*) FROM (SELECT * FROM Stream);
-- [7]
