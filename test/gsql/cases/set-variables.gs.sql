SET @a = 2; SET @b = @a * 3; SET @A = 'changed'; SELECT @a, @B, @b + @a;
-- ["changed",6,"6changed"]
