SELCT 1
-- line 1, column 1: unexpected 'SELCT', did you mean SELECT?

SELECT
-- line 1, column 7: the script ends too early

SELECT 1 FRM x
-- line 1, column 14: unexpected 'x', expected the end or ;

SELECT 1 FROM
-- line 1, column 14: the script ends too early

SELECT (1 + 2
-- line 1, column 14: the script ends too early, expected )

SELECT 1 +
-- line 1, column 11: the script ends too early

SELECT 'abc
-- line 1, column 8: the text that begins here has no closing '

SELECT "abc
-- line 1, column 8: the text that begins here has no closing "

SELECT 1 /* never closed
-- line 1, column 10: the comment that begins here has no closing */

SELECT 12abc
-- line 1, column 8: '12abc' is neither a number nor a name

SELECT #
-- line 1, column 8: unexpected '#'

SELECT 1 2
-- line 1, column 10: unexpected '2', expected the end or ;

SELECT a FROM JSON_TABLE(@HTTP_BODY) WITH (a String '$.a'
-- line 1, column 58: the script ends too early, expected , or )

SELECT * FROM (SELECT 1
-- line 1, column 24: the script ends too early, expected )

SET x = 1
-- line 1, column 5: unexpected 'x', expected an @variable

SET @x 1
-- line 1, column 8: unexpected '1', expected = or ==

SET @x =
-- line 1, column 9: the script ends too early

INSERT SAMPLE VALUES (1)
-- line 1, column 8: unexpected 'SAMPLE', expected INTO or OR

INSERT OR REPLACE SAMPLE(CID) SELECT 1
-- line 1, column 19: unexpected 'SAMPLE', expected INTO

UPDATE SAMPLE SAMPLE = 1
-- line 1, column 15: unexpected 'SAMPLE', expected SET

DELETE SAMPLE WHERE CID = 1
-- line 1, column 8: unexpected 'SAMPLE', expected FROM

SELECT CASE WHEN 1 THEN 2
-- line 1, column 26: the script ends too early, expected ELSE or END or WHEN

SELECT Cast('1' LONG)
-- line 1, column 17: unexpected 'LONG', expected AS

SELECT 1 UNION
-- line 1, column 15: the script ends too early, expected SELECT or VALUES

SELECT 1 ORDER 1
-- line 1, column 16: unexpected '1', expected BY

SELECT 1 LIMIT
-- line 1, column 15: the script ends too early

DROP TABLE sample
-- line 1, column 1: unexpected 'DROP'

SELECT 1; DELETE FROM pg_class
-- line 1, column 23: only SAMPLE can be deleted from

SELECT 9223372036854775808
-- line 1, column 8: 9223372036854775808 does not fit in a LONG

SELECT 1e999
-- line 1, column 8: 1e999 does not fit in a DOUBLE

SELECT x
-- line 1, column 8: unknown column 'x'

SELECT t.x FROM (SELECT 1 y) t
-- line 1, column 8: unknown column 't.x'

SELECT u.y FROM (SELECT 1 y) t
-- line 1, column 8: unknown table 'u'

SELECT tmp FROM JSON_TABLE('{}') WITH (temp String '$.temp')
-- line 1, column 8: unknown column 'tmp', did you mean temp?

SELECT k FROM (SELECT 1 k) a, (SELECT 2 k) b
-- line 1, column 8: column 'k' is ambiguous: a.k or b.k

SELECT * FROM strem
-- line 1, column 15: unknown table 'strem', did you mean Stream?

SELECT * FROM pg_catalog.pg_class
-- line 1, column 15: unknown table 'pg_catalog.pg_class'

SELECT * FROM system.users
-- line 1, column 15: unknown table 'system.users'

SELECT * FROM SAMPLE
-- line 1, column 15: SAMPLE can only be written; samples are read from Stream: SELECT time, sample(Range(last=100)) FROM Stream

SELECT CID FROM system.sample
-- line 1, column 17: SAMPLE can only be written; samples are read from Stream: SELECT time, sample(Range(last=100)) FROM Stream

SELECT * FROM JSON_TABEL('{}') WITH (a String '$.a')
-- line 1, column 15: unknown table 'JSON_TABEL', did you mean JSON_TABLE?

SELECT lefft('a', 1)
-- line 1, column 8: unknown function 'lefft', did you mean Left?

SELECT pg_sleep(10)
-- line 1, column 8: unknown function 'pg_sleep'

SELECT Left('a')
-- line 1, column 8: Left takes 2 arguments, not 1

SELECT Now(1)
-- line 1, column 8: Now takes 0 arguments, not 1

SELECT Substr('a')
-- line 1, column 8: Substr takes 2 to 3 arguments, not 1

SELECT Coalesce()
-- line 1, column 8: Coalesce takes 1 to 100 arguments, not 0

SELECT @HTP_BODY
-- line 1, column 8: unknown variable '@HTP_BODY', did you mean @HTTP_BODY?

SELECT @nothing
-- line 1, column 8: unknown variable '@nothing'

SELECT *
-- line 1, column 8: * needs FROM

SELECT z.* FROM (SELECT 1 a) t
-- line 1, column 8: unknown table 'z'

SELECT Cast(1 AS TEXT)
-- line 1, column 18: unknown type 'TEXT', use STRING, LONG, DOUBLE or BOOLEAN

SELECT Cast(1 AS LOMG)
-- line 1, column 18: unknown type 'LOMG', did you mean LONG?

SELECT Cast('12x' AS LONG)
-- line 1, column 13: '12x' is not a LONG

SELECT Cast('' AS DOUBLE)
-- line 1, column 13: '' is not a DOUBLE

SELECT Cast('perhaps' AS BOOLEAN)
-- line 1, column 13: 'perhaps' is not a BOOLEAN

SELECT Cast(1e30 AS LONG)
-- line 1, column 13: 1e+30 does not fit in a LONG

SELECT 'abc' > 5
-- line 1, column 8: 'abc' is not a DOUBLE

SELECT 'abc' * 2
-- line 1, column 8: 'abc' is not a DOUBLE

SELECT 9223372036854775807 + 1
-- line 1, column 28: 9223372036854775807 + 1 does not fit in a LONG

SELECT -9223372036854775808 - 1
-- line 1, column 29: -9223372036854775808 - 1 does not fit in a LONG

SELECT 9223372036854775807 * 2
-- line 1, column 28: 9223372036854775807 * 2 does not fit in a LONG

SELECT -(-9223372036854775808)
-- line 1, column 8: -(-9223372036854775808) does not fit in a LONG

SELECT Abs(-9223372036854775808)
-- line 1, column 8: Abs(-9223372036854775808) does not fit in a LONG

SELECT Sum(v) FROM (SELECT 9223372036854775807 v UNION ALL SELECT 1)
-- line 1, column 8: 9223372036854775808 does not fit in a LONG

SELECT 1e308 * 10
-- line 1, column 14: 1e+308 * 10 does not fit in a DOUBLE

SELECT Exp(1000), Power(10, 400)
-- line 1, column 8: Exp(1000) does not fit in a DOUBLE

SELECT HexToLong('xyz')
-- line 1, column 18: 'xyz' is not hexadecimal

SELECT HexToLong('FFFFFFFFFFFFFFFF')
-- line 1, column 18: 'FFFFFFFFFFFFFFFF' does not fit in a LONG

SELECT 'text' AND TRUE
-- line 1, column 8: 'text' is not a BOOLEAN

SELECT 1 WHERE 'maybe'
-- line 1, column 16: 'maybe' is not a BOOLEAN

SELECT a, Count(*) FROM (SELECT 1 a)
-- line 1, column 8: column 'a' must stand in GROUP BY or in an aggregate

SELECT a + 1 FROM (SELECT 1 a, 2 b) GROUP BY b
-- line 1, column 8: column 'a' must stand in GROUP BY or in an aggregate

SELECT Count(*) FROM (SELECT 1 a) WHERE Count(*) > 1
-- line 1, column 41: Count cannot stand in WHERE

SELECT Sum(Count(*)) FROM (SELECT 1 a)
-- line 1, column 12: Count cannot stand inside Sum

SELECT a FROM (SELECT 1 a) GROUP BY Max(a)
-- line 1, column 37: Max cannot stand in GROUP BY

SELECT 1 FROM (SELECT 1 a) HAVING a > 1
-- line 1, column 35: HAVING needs GROUP BY or an aggregate

SELECT (SELECT Max(a) FROM (SELECT 1 b)) FROM (SELECT 1 a)
-- line 1, column 16: Max has no column of its own query to go over

SELECT DISTINCT Upper('x') AS u, DISTINCT 2
-- line 1, column 34: unexpected 'DISTINCT'

SELECT Upper(DISTINCT 'x')
-- line 1, column 8: DISTINCT can only stand in aggregates, Upper is not one

SELECT Sum(*) FROM (SELECT 1 a)
-- line 1, column 8: Sum(*) is not known, only Count(*)

SELECT 1 ORDER BY 2
-- line 1, column 19: ORDER BY 2 names no column, there are 1

SELECT 1 a UNION SELECT 2 ORDER BY b
-- line 1, column 36: ORDER BY of joined queries must name a column of the first, or its position

SELECT DISTINCT a FROM (SELECT 1 a, 2 b) ORDER BY b
-- line 1, column 51: ORDER BY beside DISTINCT must name a column of the SELECT

SELECT 1, 2 UNION ALL SELECT 1
-- line 1, column 23: 1 columns here, but 2 before

SELECT (SELECT 1, 2)
-- line 1, column 8: a query used as a value needs one column, this one has 2

SELECT 1 IN (SELECT 1, 2)
-- line 1, column 14: IN needs a query with one column, this one has 2

WITH a AS (SELECT 1), A AS (SELECT 2) SELECT 1
-- line 1, column 23: common table 'A' is there twice

WITH a(x, y) AS (SELECT 1) SELECT 1
-- line 1, column 6: 'a' names 2 columns, its query has 1

SELECT 1 FROM (SELECT 1 a) x LEFT JOIN (SELECT 2 b) y
-- line 1, column 30: LEFT JOIN needs ON

SELECT * FROM JSON_TABLE('{}')
-- line 1, column 15: JSON_TABLE needs its columns: JSON_TABLE(...) WITH (a String '$.a')

SELECT * FROM JSON_TABLE('{}', 1) WITH (a String '$.a')
-- line 1, column 15: JSON_TABLE takes 1 argument, not 2

SELECT * FROM JSON_TABLE('{}') WITH (a String)
-- line 1, column 38: column 'a' needs a path: a String '$.a'

SELECT * FROM JSON_TABLE('{}') WITH (a Strng '$.a')
-- line 1, column 40: unknown type 'Strng', did you mean STRING?

SELECT * FROM JSON_TABLE('{}') WITH (a String 'a')
-- line 1, column 47: 'a' is not a JSON path, it must begin with $

SELECT * FROM JSON_TABLE('{}') WITH (a String '$.a[')
-- line 1, column 47: '$.a[' is not a JSON path

SELECT * FROM JSON_TABLE('{}') WITH (a String '$..a..b')
-- line 1, column 47: '$..a..b' has more than one ..

SELECT * FROM JSON_TABLE('{}') WITH (a String '$[?(@.a.constructor("x"))]')
-- line 1, column 47: '$[?(@.a.constructor("x"))]' is not a JSON path

SELECT * FROM JSON_TABLE('{}') WITH (a String '$.a', A Long '$.b')
-- line 1, column 54: column 'A' is there twice

SELECT * FROM JSON_TABLE('{"a":') WITH (a String '$.a')
-- line 1, column 15: the text is not JSON: the text ends too early at position 6

SELECT * FROM JSON_TABLE('{"a":1}}') WITH (a String '$.a')
-- line 1, column 15: the text is not JSON: unexpected '}' at position 8

SELECT * FROM JSON_TABLE('[{"t":1},{"t":"x"}]') WITH (t Long '$[*].t')
-- line 1, column 55: row 2, column t: 'x' is not a LONG

SELECT * FROM JSON_TABLE('{"t":{"a":1}}') WITH (t Double '$.t')
-- line 1, column 49: row 1, column t: '{"a":1}' is not a DOUBLE

SELECT * FROM JSON_TABLE('{"t":"a\u0000b"}') WITH (t String '$.t')
-- line 1, column 52: row 1, column t: the text holds a NUL character

SELECT * FROM CSV_TABLE('a') WITH (a STRING)
-- line 1, column 36: column 'a' needs a position: 1 a STRING

SELECT * FROM CSV_TABLE('a') WITH (0 a STRING)
-- line 1, column 36: positions go from 1 to 100000

SELECT * FROM CSV_TABLE('x,1
y,z') WITH (2 v LONG)
-- line 2, column 15: row 2, column v: 'z' is not a LONG

SELECT * FROM CSV_TABLE('n,v
a,1
b,oops', TRUE) WITH (1 n STRING, 2 v DOUBLE)
-- line 3, column 36: row 2, column v: 'oops' is not a DOUBLE

SELECT * FROM CSV_TABLE('"a') WITH (1 a STRING)
-- line 1, column 15: row 1: the text has no closing "

SELECT * FROM CSV_TABLE('a', 'maybe') WITH (1 a STRING)
-- line 1, column 30: the second argument, header, must be TRUE or FALSE or a @variable

SELECT * FROM CSV_TABLE('a', FALSE, '') WITH (1 a STRING)
-- line 1, column 15: the delimiter of CSV_TABLE must be a text without quotes and line ends

SELECT JSON_TABLE('{}')
-- line 1, column 8: JSON_TABLE is a table and stands after FROM

SELECT JSON_Value('{oops', '$.a')
-- line 1, column 19: the text is not JSON

SELECT JSON_Value('{}', 'a.b')
-- line 1, column 25: 'a.b' is not a JSON path, it must begin with $

SELECT JSON_Value('{}', '$.a' + '.b')
-- line 1, column 25: the path of JSON_Value must be a text in quotes or a @variable

SELECT TOEPOCHMILLIS('2026-02-30', 'yyyy-MM-dd')
-- line 1, column 22: '2026-02-30' is not a date and time

SELECT TOEPOCHMILLIS('2026-13-01', 'yyyy-MM-dd')
-- line 1, column 22: '2026-13-01' is not a date and time

SELECT TOEPOCHMILLIS('2026-01-01 x', 'yyyy-MM-dd')
-- line 1, column 22: '2026-01-01 x' does not fit the date pattern

SELECT TOEPOCHMILLIS('2026-01-01 25:00', 'yyyy-MM-dd HH:mm')
-- line 1, column 22: '2026-01-01 25:00' does not fit the date pattern

SELECT TOEPOCHMILLIS('Mon 1 Mar 2026', 'EEE d MMM yyyy')
-- line 1, column 22: 'Mon 1 Mar 2026' is not a date and time

SELECT TOEPOCHMILLIS('1 Foo 2026', 'd MMM yyyy')
-- line 1, column 22: '1 Foo 2026' is not a date and time

SELECT TOEPOCHMILLIS('2026-01-01', 'yyyy-MM-dd QQ')
-- line 1, column 36: 'QQ' is not known in a date pattern

SELECT TOEPOCHMILLIS('12:00', 'HH:mm')
-- line 1, column 31: the date pattern has no year (yyyy)

SELECT TOEPOCHMILLIS('1.1.2026 1:00', 'd.M.yyyy h:mm')
-- line 1, column 39: hh and a belong together in a date pattern; HH is the hour of the day

SELECT TOEPOCHMILLIS('x', 'yyyy''T')
-- line 1, column 27: the date pattern has a ' that is not closed

SELECT TOEPOCHMILLIS('2026-01-01', 'yyyy-MM-dd', 'Mars/Base')
-- line 1, column 50: unknown time zone 'Mars/Base'

SELECT TOEPOCHMILLIS('2026-01-01 Mars', 'yyyy-MM-dd z')
-- line 1, column 22: unknown time zone 'Mars'

SELECT TOEPOCHMILLIS('2026-01-01', p) FROM (SELECT 'yyyy-MM-dd' p)
-- line 1, column 36: the pattern of TOEPOCHMILLIS must be a text in quotes or a @variable

SELECT dtFormatter(0, 'qq')
-- line 1, column 23: 'qq' is not known in a date pattern

SELECT Year(999999999999999)
-- line 1, column 13: time 999999999999999 is outside the years 1 to 9999

SELECT Hour(0, 'Nowhere')
-- line 1, column 16: unknown time zone 'Nowhere'

SELECT DateTrunc('fortnight', 0)
-- line 1, column 18: unknown unit 'fortnight', there are second, minute, hour, day, week, month, quarter, year

SELECT DateAdd(0, 1, 'dya')
-- line 1, column 22: unknown unit 'dya', did you mean day?

SELECT DateAdd(0, 99999999, 'day')
-- line 1, column 8: the time is outside the years 1 to 9999

SELECT ReplaceAll('a', '(', 'x')
-- line 1, column 24: the regular expression '(' has a ( that is not closed

SELECT ReplaceAll('a', '(a)\1', 'x')
-- line 1, column 24: the regular expression '(a)\1' refers back to a group, which is not supported

SELECT ReplaceAll('a', '(?=a)', 'x')
-- line 1, column 24: the regular expression '(?=a)' looks around, which is not supported

SELECT ReplaceAll('a', 'a**', 'x')
-- line 1, column 24: the regular expression 'a**' repeats a repetition

SELECT ReplaceAll('a', '(a)', '$2')
-- line 1, column 31: $2 names no group, the regular expression has 1

SELECT ReplaceAll('aa', '(a)+', '$1')
-- line 1, column 33: $1 is a group inside a repetition, which has no one text

SELECT ReplaceAll('a', '[z-a]', 'x')
-- line 1, column 24: the regular expression '[z-a]' has a range out of order

SELECT ReplaceAll('a', 'a{1,999}', 'x')
-- line 1, column 24: the regular expression 'a{1,999}' repeats more than 255 times

SELECT 'a' LIKE 'b' ESCAPE 'xy'
-- line 1, column 28: ESCAPE needs one character, not 'xy'

SELECT RPad('x', 1000000000)
-- line 1, column 8: a text would be longer than 16777216 bytes

SELECT 1d
-- line 1, column 8: '1d' can only stand in Range(...)

SELECT Range(sd=-1d)
-- line 1, column 8: Range(...) can only stand in sample(...)

SELECT sample(Range(sd=-1d)) FROM (SELECT 1 a)
-- line 1, column 8: sample(...) needs FROM Stream

SELECT sample(Range(sd=-1x)) FROM Stream
-- line 1, column 25: '1x' is neither a number nor a name

SELECT sample(Range(sd=-1D)) FROM Stream
-- line 1, column 25: 'D' is not an offset, write d

SELECT sample(Range(foo=1)) FROM Stream
-- line 1, column 21: unknown argument 'foo', there are sd, ed, last, currentCycle

SELECT sample(cycle='day', stat='max') FROM Stream
-- line 1, column 15: unknown argument 'cycle', there are Range, cycleId, stat

SELECT sample(Range()) FROM Stream
-- line 1, column 15: Range needs sd, ed, both of them, last, or currentCycle

SELECT sample(Range(last=0)) FROM Stream
-- line 1, column 26: last must be a whole number from 1 to 1000000

SELECT sample(Range(last=1, sd=-1d)) FROM Stream
-- line 1, column 15: Range takes last or currentCycle alone, or sd, ed or both

SELECT sample(Range(sd=yesterday)) FROM Stream
-- line 1, column 24: 'yesterday' is neither now, streamEd, an offset such as -1d, epoch milliseconds, a date in quotes such as '2026-11-01', nor a @variable

SELECT sample(cycleId='day') FROM Stream
-- line 1, column 8: cycleId and stat belong together

SELECT sample(stat='max') FROM Stream
-- line 1, column 8: cycleId and stat belong together

SELECT sample(cycleId='day', stat='maxx') FROM Stream
-- line 1, column 35: unknown statistic 'maxx', did you mean max?

SELECT sample(cycleId='day', stat='nope') FROM Stream
-- line 1, column 35: unknown statistic 'nope', there are first, last, min, max, avg, sum, minoccurrence, maxoccurrence, gapcount, nongapcount, intvlcount, milliseccount, nongapmilliseccount

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE, MODEL) VALUES (1, 2, 3, 4, 5)
-- line 1, column 43: unknown column 'MODEL' of SAMPLE, there are CID, ID, TIME, SAMPLE

SELECT sample(cycleId='fortnight', stat='max') FROM Stream
-- line 1, column 23: unknown cycle 'fortnight', there are hour, day, month

SELECT sample(Range(currentCycle='fortnight')) FROM Stream
-- line 1, column 34: unknown cycle 'fortnight', there are hour, day, month

SELECT sample(Range(sd=-1d)), sample(Range(sd=-2d)) FROM Stream
-- line 1, column 38: a SELECT has one Range, this is another

SELECT sample, sample(cycleId='day', stat='max') FROM Stream
-- line 1, column 8: sample cannot stand beside sample(..., cycleId, stat) in one SELECT

SELECT cidd FROM Stream
-- line 1, column 8: unknown column 'cidd', did you mean cid?

SELECT Cast(lastValue AS LONG) FROM Stream WHERE id = 'state'
-- line 1, column 13: 'on' is not a LONG

INSERT INTO STREAM VALUES (1, 2, 3, 4)
-- line 1, column 13: only SAMPLE can be inserted into

INSERT INTO SAMPLE(CID, ID, TIME) VALUES (1, 2, 3)
-- line 1, column 1: INSERT INTO SAMPLE needs the column SAMPLE

INSERT INTO SAMPLE(CID, ID, TIME, SAMPEL) VALUES (1, 2, 3, 4)
-- line 1, column 35: unknown column 'SAMPEL' of SAMPLE, did you mean SAMPLE?

INSERT INTO SAMPLE(CID, CID, ID, SAMPLE) VALUES (1, 2, 3, 4)
-- line 1, column 25: column 'CID' is there twice

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES (1, 2, 3)
-- line 1, column 43: 3 columns here, but INSERT names 4

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 1, 2), (NULL, 'b', 1, 2)
-- line 1, column 69: row 2: CID is NULL

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'a', NULL, 1, 2
-- line 1, column 55: row 1: ID is NULL

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 'noon', 2)
-- line 1, column 61: row 1: TIME must be epoch milliseconds, an integer, not 'noon'

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDR = 'x') VALUES (1, 2, 3, 4)
-- line 1, column 49: unknown option 'FOLDR', did you mean FOLDER?

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = Left('x', 1)) VALUES (1, 2, 3, 4)
-- line 1, column 58: FOLDER must be a text in quotes or a @variable

DELETE FROM SAMPLE
-- line 1, column 1: DELETE needs CID = ... or CID IN (...) in its WHERE

DELETE FROM SAMPLE WHERE CID = 'a'
-- line 1, column 26: DELETE needs ID = ... or ID IN (...) in its WHERE

DELETE FROM SAMPLE WHERE CID = 'a' OR ID = 'b'
-- line 1, column 26: DELETE needs CID = ... or CID IN (...) in its WHERE

DELETE FROM SAMPLE WHERE CID = CID AND ID = ID
-- line 1, column 26: DELETE needs CID = ... or CID IN (...) in its WHERE

DELETE FROM Stream WHERE CID = 'a' AND ID = 'b'
-- line 1, column 13: only SAMPLE can be deleted from

UPDATE SAMPLE SET TIME = 1 WHERE CID = 'a' AND ID = 'b'
-- line 1, column 19: only the column SAMPLE can be set, not 'TIME'

UPDATE SAMPLE SET SAMPLE = 1 WHERE ID = 'b'
-- line 1, column 36: UPDATE needs CID = ... or CID IN (...) in its WHERE

SELECT 'F-' || 'x'
-- line 1, column 8: 'F-' is not a BOOLEAN: || is OR, texts are joined by + or Concat

SELECT time FROM Stream('boiler', 'temp')
-- line 1, column 18: Stream takes no arguments: its streams are chosen by WHERE, its samples by sample(Range(...))

SELECT * FROM CSV_TABLE('a;1', ';') WITH (1 a STRING)
-- line 1, column 32: the second argument, header, must be TRUE or FALSE or a @variable

SELECT * FROM CSV_TABLE('a;1', FALSE, 1 = 1) WITH (1 a STRING)
-- line 1, column 39: the third argument, the delimiter, must be a text in quotes or a @variable

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (MODEL = 'x') VALUES (1, 2, 3, 4)
-- line 1, column 49: unknown option 'MODEL', there are COMPTMPLID, FOLDER, DTID, DSID

SELECT a FROM JSON_TABLE('{}') WITH(a String '$.x-y')
-- line 1, column 46: '$.x-y' is not a JSON path; such a name is written ["x-y"]

SELECT TOEPOCHMILLIS('x', 'yyyy-MM-ddTHH:mm')
-- line 1, column 27: 'T' is not known in a date pattern, write ''T''

SELECT TOEPOCHMILLIS('x', 'YYYY-MM-DD')
-- line 1, column 27: 'YYYY' is not known in a date pattern, write yyyy

SELECT LENGTH('x')
-- line 1, column 8: unknown function 'LENGTH', did you mean Len?

SELECT a FROM JSON_TABLE('{"b":1e400}') WITH(a Double '$.b')
-- line 1, column 46: row 1, column a: the number does not fit in a DOUBLE

SELECT ReplaceAll('a', '(a{200}|b{200}|c{200}){4}', 'x')
-- line 1, column 24: the regular expression stands for more than 2000 characters

SELECT ReplaceAll('a', '(a+)+$', '$1')
-- line 1, column 34: $1 is a group inside a repetition, which has no one text

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, 's', 1, 2 FROM CSV_TABLE('a
""') WITH (1 c STRING)
-- line 1, column 50: row 2: CID must not be empty

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 1, 2), ('a', RPad('', 513, 'x'), 1, 2)
-- line 1, column 74: row 2: ID must have at most 512 characters

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 1, 2), ('a', 'b', 253402300800000, 2)
-- line 1, column 79: row 2: TIME 253402300800000 is outside the years 1 to 9999

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 9223372036854775807, 2)
-- line 1, column 61: row 1: TIME 9223372036854775807 is outside the years 1 to 9999

SELECT a FROM CSV_TABLE('2026-01-01
1.2.2026') WITH (1 a STRING) WHERE
  TOEPOCHMILLIS(a, 'yyyy-MM-dd') > 0
-- line 3, column 17: '1.2.2026' does not fit the date pattern

SELECT a FROM JSON_TABLE('{"b":1e400}') WITH(a String '$.b')
-- line 1, column 46: row 1, column a: the number does not fit in a DOUBLE

SELECT t FROM JSON_TABLE('[{"t":1},{"t":""}]') WITH (t Long '$[*].t')
-- line 1, column 54: row 2, column t: '' is not a LONG

SELECT t FROM JSON_TABLE('{"t":" "}') WITH (t Double '$.t')
-- line 1, column 45: row 1, column t: ' ' is not a DOUBLE

SELECT t FROM CSV_TABLE('a,1
b,""') WITH (2 t LONG)
-- line 2, column 16: row 2, column t: '' is not a LONG

SELECT t FROM CSV_TABLE('a, ') WITH (2 t LONG)
-- line 1, column 40: row 1, column t: ' ' is not a LONG

SELECT t FROM CSV_TABLE('a,""') WITH (2 t BOOLEAN)
-- line 1, column 41: row 1, column t: '' is not a BOOLEAN

SELECT t FROM JSON_TABLE('{"t":"x\ud83cy"}') WITH (t String '$.t')
-- line 1, column 52: row 1, column t: 'x�y' holds half of a surrogate pair

SELECT t FROM JSON_TABLE(Concat(JSON_Value('{"x":"\ufeff{1"}', '$.x'))) WITH (t String '$.t')
-- line 1, column 15: the text is not JSON: unexpected '1' at position 3

DELETE FROM SAMPLE WHERE "CID" = "ID" AND ID = 'x'
-- line 1, column 26: DELETE needs CID = ... or CID IN (...) in its WHERE

INSERT INTO SAMPLE("CID", "ID", "SAMPEL") VALUES (1, 2, 3)
-- line 1, column 33: unknown column 'SAMPEL' of SAMPLE, did you mean SAMPLE?

SELECT p.k, c.v FROM JSON_TABLE('[{"k":"n","v":"1"},{"k":"t","v":"x"}]') WITH(k String '$[*].k', v String '$[*].v') p,
  CSV_TABLE(p.v) WITH (1 v LONG) c WHERE p.k = 'n' OR c.v = 5
-- line 2, column 26: row 1, column v: 'x' is not a LONG

SELECT id,
  sample(cycleId='day', stat='max'), time,
  sample(Range(last=2)) FROM Stream
-- line 3, column 3: sample cannot stand beside sample(..., cycleId, stat) in one SELECT

SELECT
  Sum(v) FROM CSV_TABLE('1e308
1e308') WITH (1 v DOUBLE)
-- line 2, column 3: a number is out of range

SELECT Count(v), -Avg(v) FROM CSV_TABLE('1e308
1e308') WITH (1 v DOUBLE)
-- line 1, column 19: a number is out of range

SELECT Count(*) FROM CSV_TABLE('1e200
-1e200') WITH (1 v DOUBLE)
HAVING StdDev(v) > 0
-- line 3, column 8: a number is out of range

SELECT 1, Sum(v) FROM (SELECT 1e308 v UNION ALL SELECT 1e308 UNION ALL SELECT TRUE)
-- line 1, column 11: 1e+308 + 1e+308 does not fit in a DOUBLE

SELECT 1, Sum(v) FROM (SELECT 9223372036854775807 v UNION ALL SELECT '1' WHERE FALSE UNION ALL SELECT TRUE)
-- line 1, column 11: 9223372036854775808 does not fit in a LONG

SELECT JSON_Value('{"a":9223372036854775807}', '$.a') + 1
-- line 1, column 55: 9223372036854775807 + 1 does not fit in a LONG

SELECT 2 * -JSON_Value('{"a":-9223372036854775808}', '$.a')
-- line 1, column 12: -(-9223372036854775808) does not fit in a LONG

SELECT 5 - JSON_Value('{"a":"N"}', '$.a')
-- line 1, column 12: 'N' is not a DOUBLE

SELECT Sum(lastValue) FROM Stream
-- line 1, column 12: 'on' is not a DOUBLE

SELECT Count(v), Sum(v),
  Avg(v) FROM CSV_TABLE('1e308
1e308') WITH (1 v DOUBLE)
-- line 1, column 18: a number is out of range, here or in a later aggregate

SELECT Sum(v) AS s FROM CSV_TABLE('1e308
1e308') WITH (1 v DOUBLE) HAVING s > 0 ORDER BY s
-- line 1, column 8: a number is out of range

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 99999999999999999, 2)
-- line 1, column 61: row 1: TIME 99999999999999999 is outside the years 1 to 9999

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 1, 2), ('a', 'b', 1.5, 2)
-- line 1, column 79: row 2: TIME must be epoch milliseconds, an integer, not '1.5'

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'a', 'b', t, 2 FROM CSV_TABLE('1
1700000000000.9') WITH (1 t DOUBLE)
-- line 1, column 60: row 2: TIME must be epoch milliseconds, an integer, not '1700000000000.9'

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'a', 'b', TRUE, 2
-- line 1, column 60: TIME is a BOOLEAN

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'a', 'b', 1, 2 UNION ALL SELECT 'a', 'b', TRUE, 2
-- line 1, column 29: row 2: TIME must be epoch milliseconds, an integer, not 'true'

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'a', 'b', JSON_Value('{"t":true}', '$.t'), 2
-- line 1, column 60: row 1: TIME must be epoch milliseconds, an integer, not 'true'

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'a', 'b', Left('', 1), 2
-- line 1, column 60: row 1: TIME must be epoch milliseconds, an integer, not ''

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 1, 2), (NULL, 'b', 3, 4) ORDER BY 3 DESC
-- line 1, column 20: row 1: CID is NULL

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (DTID = 't') VALUES (1, 2, 3, 4)
-- line 1, column 49: DTID and DSID go together

INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = '/Other/x') VALUES (1, 2, 3, 4)
-- line 1, column 58: folder must be /Components or below it, not '/Other/x'

SELECT ((((((((((((((((((1 BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5)
-- line 1, column 26: BETWEEN, IN, CASE or NullIf stand too deep inside each other

SELECT ((((((((((((1 IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5)) IN (0.5, 5, 6.5))
-- line 1, column 20: BETWEEN, IN, CASE or NullIf stand too deep inside each other

SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT 1) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5) BETWEEN 0 AND 5)
-- line 1, column 64: BETWEEN, IN, CASE or NullIf stand too deep inside each other

SELECT sample(Range(sd=2026-11-01)) FROM Stream
-- line 1, column 24: this is neither now, streamEd, an offset such as -1d, epoch milliseconds, a date in quotes such as '2026-11-01', nor a @variable

SELECT sample(Range(sd=DateAdd(Now(), -1, 'day'))) FROM Stream
-- line 1, column 24: this is neither now, streamEd, an offset such as -1d, epoch milliseconds, a date in quotes such as '2026-11-01', nor a @variable

SELECT sample(Range(ed=-(1))) FROM Stream
-- line 1, column 24: this is neither now, streamEd, an offset such as -1d, epoch milliseconds, a date in quotes such as '2026-11-01', nor a @variable

SELECT sample(Range(sd=1.5)) FROM Stream
-- line 1, column 24: this is neither now, streamEd, an offset such as -1d, epoch milliseconds, a date in quotes such as '2026-11-01', nor a @variable

SELECT sample(Range(sd=NULL)) FROM Stream
-- line 1, column 24: this is neither now, streamEd, an offset such as -1d, epoch milliseconds, a date in quotes such as '2026-11-01', nor a @variable

SELECT sample(Range(sd='2026-02-30')) FROM Stream
-- line 1, column 24: '2026-02-30' is no date such as 2026-11-01 or 2026-11-01T06:00

SELECT sample(Range(sd='2026-11-01T25:00')) FROM Stream
-- line 1, column 24: '2026-11-01T25:00' is no date such as 2026-11-01 or 2026-11-01T06:00

SELECT sample(Range(sd='yesterday')) FROM Stream
-- line 1, column 24: 'yesterday' is no date such as 2026-11-01 or 2026-11-01T06:00

SET @day = '1.11.2026'; SELECT sample(Range(sd=@day)) FROM Stream
-- line 1, column 48: '1.11.2026' is no date such as 2026-11-01 or 2026-11-01T06:00

SET @yes = TRUE; SELECT sample(Range(sd=@yes)) FROM Stream
-- line 1, column 41: this is neither now, streamEd, an offset such as -1d, epoch milliseconds, a date in quotes such as '2026-11-01', nor a @variable

SELECT * FROM (SELECT 1 a) t NATURAL JOIN (SELECT 1 a) u
-- line 1, column 30: NATURAL JOIN is not part of GS SQL, write JOIN ... ON a.x = b.x

SELECT * FROM (SELECT 1 a) t NATURAL LEFT OUTER JOIN (SELECT 1 a) u
-- line 1, column 30: NATURAL JOIN is not part of GS SQL, write JOIN ... ON a.x = b.x

SELECT * FROM (SELECT 1 a) t JOIN (SELECT 1 a) u USING (a)
-- line 1, column 50: USING is not part of GS SQL, write ON a.x = b.x

SELECT * FROM (SELECT 1 a) t FULL JOIN (SELECT 1 a) u USING (a)
-- line 1, column 55: USING is not part of GS SQL, write ON a.x = b.x

SELECT * FROM (SELECT 1 a) t RIGHT JOIN (SELECT 1 a) u
-- line 1, column 30: RIGHT JOIN needs ON

SELECT * FROM (SELECT 1 a) t FULL JOIN (SELECT 1 a) u
-- line 1, column 30: FULL JOIN needs ON

SELECT * FROM (SELECT 1 a) t SEMI JOIN (SELECT 1 a) u ON TRUE
-- line 1, column 30: unexpected 'SEMI', expected the end or ;

SELECT * FROM Stream s RIGHT JOIN JSON_TABLE(s.lastValue) WITH (k Long '$.k') x ON TRUE
-- line 1, column 24: x of a column on its left cannot be joined by RIGHT JOIN

SELECT IsNull(1, 2)
-- line 1, column 8: unknown function 'IsNull', did you mean IfNull?
