SELECT Left('hello', 2), Right('hello', 2), Left('hello', 99), Left('hello', 0), Right('hello', -1), Left('äöü', 2), Left(12345, 2);
-- ["he","lo","hello","","","äö","12"]
