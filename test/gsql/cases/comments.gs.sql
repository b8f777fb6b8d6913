-- one line
SELECT /* inside
over two lines */ 1 -- behind
;
-- [1]
