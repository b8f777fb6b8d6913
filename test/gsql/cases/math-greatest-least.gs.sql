SELECT Greatest(1, 3, 2), Least(1, 3, 2), Greatest(1, 2.5), Greatest('a', 'b', 'B'), Least('a', 'B'), Greatest(1, NULL), Greatest('10', 9);
-- [3,1,2.5,"b","B",null,10]
