-- What keeps cycle statistics fast and true. Aggregates ("tiles") per stream and hour, and per stream and day,
-- are relations that core/tile.ts makes: continuous aggregates in the Community edition, tables that
-- core/rollup.ts fills in the Apache edition. Here is what both editions need besides.

-- Hours of tiles begin some minutes past the hour: 0, or 15 and 30 where zones are in use whose days do.
-- Tiles below ready_until may be read. In the Apache edition a piece is filled stream by stream: up to
-- piece_until, and of the streams from next_stream on it is still to be done.
create table rollup_phase (
  minutes integer primary key,
  kind text not null check (kind in ('aggregate', 'table')),
  ready_until timestamptz not null default '4000-01-01 00:00:00+00 BC',
  piece_until timestamptz,
  next_stream integer not null default 0
);

-- What was written below claimed_until: tiles there are read from samples until they are made anew. Only ever
-- added to, so that writers never wait for each other. Who makes tiles anew removes the rows that it saw; tx,
-- the writer's transaction, tells it which these are.
create table stale (
  stream_key integer not null,
  first_time timestamptz not null,
  last_time timestamptz not null,
  tx xid8 not null default pg_current_xact_id()
);

create index stale_stream on stale (stream_key);

-- Samples that were older than their organization keeps them, as aggregates of a quarter of an hour
-- (core/retention.ts). Below kept.until, a stream has an archive and no samples.
create table archive (
  stream_key integer not null,
  bucket timestamptz not null,
  first_time timestamptz not null,
  last_time timestamptz not null,
  samples bigint not null,
  filled bigint not null,
  covered bigint,
  sum_num double precision,
  weighted_num double precision,
  -- Of values so large that a sum of doubles might overflow.
  huge_num numeric,
  huge_weighted_num numeric,
  min_num double precision,
  max_num double precision,
  first_num double precision,
  last_num double precision,
  sum_long numeric,
  weighted_long numeric,
  min_long bigint,
  max_long bigint,
  first_long bigint,
  last_long bigint,
  first_text text,
  last_text text,
  min_time timestamptz,
  max_time timestamptz,
  primary key (stream_key, bucket)
);

create table kept (
  stream_key integer primary key,
  until timestamptz not null
);

-- Uploads older than this are refused even where retention_days was raised later: their hours are archived.
alter table organization add column kept_until timestamptz;
