SELECT Substr('hello', 2), Substr('hello', 2, 3), Substr('hello', -3), Substr('hello', -3, 2), Substr('hello', 0, 3), Substr('hello', 9), Substr('hello', 4, -2), Mid('hello', 2, 2);
-- ["ello","ell","llo","ll","he","","el","el"]
