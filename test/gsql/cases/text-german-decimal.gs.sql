SELECT Cast(Replace(Replace('1.234,56', '.', ''), ',', '.') AS DOUBLE);
-- [1234.56]
