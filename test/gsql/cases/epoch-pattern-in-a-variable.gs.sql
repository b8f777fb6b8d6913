SET @pattern = 'dd.MM.yyyy HH:mm'; SET @zone = 'UTC';
SELECT TOEPOCHMILLIS('01.03.2026 12:00', @pattern, @zone);
-- [1772366400000]
