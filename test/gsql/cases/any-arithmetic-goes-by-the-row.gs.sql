SELECT v / 2, v * 2, v % 4, v - 1, -v FROM (SELECT JSON_Value(j, '$') v FROM CSV_TABLE('7
7.0
7e0
true
"""9"""') WITH (1 j STRING));
-- [3,14,3,6,-7]
-- [3.5,14,3,6,-7]
-- [3.5,14,3,6,-7]
-- [0,2,1,0,-1]
-- [4.5,18,1,8,-9]
