-- The archive: samples that were older than their organization keeps them, as aggregates of a quarter of an hour.

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

-- The spans of time of which a stream has an archive and no samples: from the first sample that was archived up to a
-- moment. Before and after them its samples are live. Mostly there is one; where an organization came to keep its
-- samples for longer, and older ones were uploaded and archived later, there are several.
create table kept (
  stream_key integer not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (stream_key, since)
);

-- The job of retention goes through all streams in the order of their keys, again whenever the moment has moved below
-- which an organization's samples are archived. Null: it has come to the end.
create table retention_state (
  is_only boolean primary key default true check (is_only),
  next_stream integer default 0
);

insert into retention_state default values;
