SELECT Now() = Now(), Now();
-- [true,1772366400000]
