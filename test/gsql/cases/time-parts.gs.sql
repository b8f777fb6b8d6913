SELECT Year(0, 'UTC'), Month(0, 'UTC'), Day(0, 'UTC'), DayOfWeek(0, 'UTC'), Hour(3723000, 'UTC'), Minute(3723000, 'UTC'), Second(3723999, 'UTC');
-- [1970,1,1,4,1,2,3]
