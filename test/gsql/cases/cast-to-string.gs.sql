SELECT Cast(12 AS STRING), Cast(1.50 AS STRING), Cast(TRUE AS STRING), Cast(1e21 AS STRING), Cast(-0.5 AS STRING);
-- ["12","1.5","true","1e+21","-0.5"]
