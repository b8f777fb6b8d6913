SELECT DateAdd(0, 1, 'day', 'UTC'), DateAdd(0, -1, 'hour', 'UTC'), DateAdd(0, 2, 'weeks', 'UTC'), DateAdd(0, 1, 'year', 'UTC'), DateAdd(0, 90, 'second', 'UTC'), DateAdd(1769860800000, 1, 'month', 'UTC'), DateAdd(NULL, 1, 'day');
-- [86400000,-3600000,1209600000,31536000000,90000,1772280000000,null]
