SELECT '50%' LIKE '50!%' ESCAPE '!', '50x' LIKE '50!%' ESCAPE '!', 'a_b' NOT LIKE 'a\_b' ESCAPE '\';
-- [true,false,false]
