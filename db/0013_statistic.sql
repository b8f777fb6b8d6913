-- The state of the aggregates ("tiles") per stream and hour, and per stream and day, that keep cycle statistics fast.
-- The service makes the tiles themselves, when a time zone first needs them: continuous aggregates in the Community
-- edition, tables that it fills in the Apache edition. Both editions need the tables below.

-- How far tiles are claimed: writers of samples before claimed_until note in stale where they wrote.
create table rollup_state (
  is_only boolean primary key default true check (is_only),
  claimed_until timestamptz not null default '0001-01-01 00:00:00+00'
);

insert into rollup_state default values;

-- Hours of tiles begin some minutes past the hour: 0, or 15 and 30 where zones are in use whose days do.
-- Tiles below ready_until may be read. In the Apache edition a piece is filled stream by stream: it reaches up to
-- piece_until, and the streams from next_stream on are still to be done.
create table rollup_phase (
  minutes integer primary key,
  kind text not null check (kind in ('aggregate', 'table')),
  ready_until timestamptz not null default '4000-01-01 00:00:00+00 BC',
  piece_until timestamptz,
  next_stream integer not null default 0
);

-- Spans that were written to below claimed_until: until their tiles are made anew, statistics there are read from
-- samples. Writers only ever add rows, and so never wait for each other. The job that makes tiles anew removes the rows
-- that it saw, which it knows by tx, the writer's transaction.
create table stale (
  stream_key integer not null,
  first_time timestamptz not null,
  last_time timestamptz not null,
  tx xid8 not null default pg_current_xact_id()
);

create index stale_stream on stale (stream_key);
