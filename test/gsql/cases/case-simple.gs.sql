SELECT CASE 2 WHEN 1 THEN 'one' WHEN 2 THEN 'two' END, CASE 3 WHEN 1 THEN 'one' END, CASE 'b' WHEN 'a' THEN 1 ELSE 2.5 END, CASE '2' WHEN 2 THEN 'number' END;
-- ["two",null,2.5,"number"]
