SELECT LPad('7', 3, '0'), RPad('7', 3), LPad('12345', 3, '0'), RPad('a', 6, 'xy'), LPad('a', 3, '');
-- ["007","7  ","123","axyxyx","a"]
