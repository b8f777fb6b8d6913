-- Samples, one row each, in a hypertable keyed by stream and time; no other index.
--
-- time is the sample's time, except in interval streams, where it is the end of the interval less one
-- millisecond: a sample that ends at midnight belongs to the day before, and stored so it falls into that
-- day's bucket, chunk and aggregate without a special case anywhere in SQL. core/sample.ts converts.
--
-- DOUBLE and BOOLEAN (1, 0) are in num, LONG in long, STRING in text; a FILE has its name in text and its
-- content's key in long. A row in which all three are null is a gap of an interval stream.
-- span, the length of a base interval in seconds, stands beside stream_key because it costs nothing there.
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

-- How far aggregates are claimed (core/rollup.ts): writers below it say what they touched.
create table rollup_state (
  is_only boolean primary key default true check (is_only),
  claimed_until timestamptz not null default '0001-01-01 00:00:00+00'
);

insert into rollup_state default values;

-- The write gate (core/gate.ts). Every transaction that writes samples opens it first and is then told what
-- it must know; who changes that closes the gate, which waits for the writers inside. The lock and the
-- reading are two statements of one function because each must have its own snapshot: read in the
-- statement that waits for the lock, the answer could be older than the lock.
create function open_gate(known_serial bigint)
returns table (claimed_until timestamptz, serial bigint, component_key integer)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7309453881);
  return query
    select state.claimed_until, change.serial, change.component_key
    from rollup_state state
    left join catalog_change change on change.serial > known_serial
    order by change.serial;
end $$;

-- The write gate for writers that know what it would tell them (core/lane.ts): passed in silence when they are
-- right, refused with SQLSTATE CG001 when something has changed since, so that a writer can send the gate, its
-- samples and the commit in one go. Like open_gate, it reads after it has the lock, each with a snapshot of its own.
create function pass_gate(known_serial bigint, known_claimed_ms double precision)
returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7309453881);
  if exists (select from catalog_change where serial > known_serial)
    or (select extract(epoch from claimed_until) * 1000 from rollup_state) <> known_claimed_ms
  then
    raise exception 'the catalogue or the aggregates have changed' using errcode = 'CG001';
  end if;
end $$;

create function close_gate() returns void
language sql as $$ select pg_advisory_xact_lock(7309453881) $$;
