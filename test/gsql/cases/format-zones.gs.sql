SELECT dtFormatter(0, 'XXX X Z', 'UTC'), dtFormatter(0, 'XXX X Z', 'Asia/Kolkata'), dtFormatter(0, 'XXX X xx', 'America/New_York'), dtFormatter(1783000000000, 'z VV'), dtFormatter(0, 'HH:mm VV', '+02:00'), dtFormatter(NULL, 'yyyy'), dtFormatter(0, '''it''''s'' ''''yyyy', 'UTC');
-- ["Z Z +0000","+05:30 +0530 +0530","-05:00 -05 -0500","CEST Europe/Berlin","02:00 +02:00",null,"it's '1970"]
