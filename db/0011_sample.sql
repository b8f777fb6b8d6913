-- Samples, one row each, in a hypertable keyed by stream and time; no other index.
--
-- time is the sample's time, except in interval streams, where it is the end of the interval less one millisecond: a
-- sample that ends at midnight belongs to the day before, and stored so it falls into that day's bucket, chunk and
-- aggregate without a special case anywhere in SQL.
--
-- DOUBLE and BOOLEAN (1, 0) are in num, LONG in long, STRING in text; a FILE has its name in text and its content's key
-- in long. A row in which all three are null is a gap of an interval stream. span, the length of a base interval in
-- seconds, stands beside stream_key because it costs nothing there.
--
-- Chunks of seven days: a year is 52 chunks, and a week of 10,000 streams of minute samples 5 GB.
create table sample (
  stream_key integer not null,
  span integer,
  time timestamptz not null,
  num double precision,
  long bigint,
  text text,
  primary key (stream_key, time)
);

select create_hypertable('sample', by_range('time', interval '7 days'), create_default_indexes => false);

-- A point stream has one sample, timed when it was last set.
create table point_sample (
  stream_key integer primary key,
  time timestamptz not null,
  num double precision,
  long bigint,
  text text
);
