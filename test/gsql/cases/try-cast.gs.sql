SELECT Try_Cast('x' AS LONG), Try_Cast('1.x' AS DOUBLE), Try_Cast('maybe' AS BOOLEAN), Try_Cast('7' AS LONG), Try_Cast(1e30 AS LONG), Try_Cast('1e999' AS DOUBLE);
-- [null,null,null,7,null,null]
