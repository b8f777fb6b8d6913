SELECT dtFormatter(1772366400123, 'yyyy-MM-dd''T''HH:mm:ss.SSSXXX'), dtFormatter(1772366400123, 'dd.MM.yy H:m:s', 'UTC'), dtFormatter(0, 'EEEE, d MMMM yyyy', 'UTC'), dtFormatter(0, 'E MMM h:mm a', 'UTC'), dtFormatter(1772366400123, 'SSSSSS', 'UTC');
-- ["2026-03-01T13:00:00.123+01:00","01.03.26 12:0:0","Thursday, 1 January 1970","Thu Jan 12:00 AM","123000"]
