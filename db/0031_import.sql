-- Runs of import connectors, and what the next run must know of those before it.

-- A run stands here from its beginning; ended_at is null while it goes on, and as long as nobody has noticed that its
-- server is gone. A server that runs an import holds a session's advisory lock for it, so whoever gets the lock next
-- knows that a run without an end has no server any more.
create table import_run (
  key bigint generated always as identity primary key,
  uid text not null unique,
  connector_key integer not null references connector on delete cascade,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Whether the schedule began it.
  scheduled boolean not null,
  -- External rows, and samples; while it goes on, how far it is.
  fetched bigint not null default 0,
  inserted bigint not null default 0,
  skipped bigint not null default 0,
  -- Max Rows cut it short.
  truncated boolean not null default false,
  cancelled boolean not null default false,
  error text
);

create index import_run_connector on import_run (connector_key, key desc);
create unique index import_run_open on import_run (connector_key) where ended_at is null;

-- Apart from the connector, whose changes servers are told of: a run is no change.
create table import_state (
  connector_key integer primary key references connector on delete cascade,
  -- The start of the last run that succeeded.
  last_run_at timestamptz,
  next_run_at timestamptz,
  last_error text,
  -- Failures in a row.
  failures integer not null default 0
);

create index import_state_next on import_state (next_run_at) where next_run_at is not null;

-- The values that an import stored last, by the time of its runs; those with times of their own are compared with what
-- is stored.
create table import_last (
  connector_key integer not null references connector on delete cascade,
  stream_key integer not null,
  num double precision,
  long bigint,
  text text,
  primary key (connector_key, stream_key)
);

alter table connector add constraint connector_import check (
  type = 'http' or (connection_key is not null and external_sql is not null));
