SELECT Hour(0), Hour(0, 'America/New_York'), Day(0, 'America/New_York'), Hour(0, '+05:30'), Minute(0, 'Asia/Kathmandu'), DayOfWeek(1772366400000), Hour(0, z) FROM (SELECT 'Asia/Tokyo' z);
-- [1,19,31,5,30,7,9]
