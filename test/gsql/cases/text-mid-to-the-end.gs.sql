SELECT Mid('abcdef', 3), Mid('abcdef', 1), Mid('abcdef', 7);
-- ["cdef","abcdef",""]
