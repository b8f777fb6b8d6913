SELECT Cast('TRUE' AS BOOLEAN), Cast('0' AS BOOLEAN), Cast(2 AS BOOLEAN), Cast(0.0 AS BOOLEAN), Cast(' false ' AS BOOLEAN);
-- [true,false,true,false,false]
