SET @v = (SELECT v FROM (SELECT 'x' v UNION ALL SELECT 2.5) WHERE v = 2.5); SELECT @v, @v * 2;
-- [2.5,5]
