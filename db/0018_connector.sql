-- Connectors, the connections they import through, saved queries, and the log of a connector's calls.

create table query (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  name text not null,
  sql text not null,
  time_zone text,
  version integer not null default 1
);

create index query_organization on query (organization_key);

create table connection (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  name text not null,
  kind text not null check (kind in ('postgresql', 'mysql', 'sqlserver', 'oracle')),
  host text not null,
  port integer,
  database text not null,
  user_name text not null,
  password_encrypted bytea,
  tls text not null default 'true' check (tls in ('true', 'false', 'no-verify')),
  version integer not null default 1
);

create index connection_organization on connection (organization_key);

create table connector (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  type text not null check (type in ('http', 'import')),
  name text not null,
  enabled boolean not null default true,
  -- The run-as user of an http connector, the running user of an import.
  user_key integer references user_account on delete set null,
  time_zone text,
  -- GS SQL that takes the pushed body, or ingests the fetched rows.
  sql text not null,
  endpoint text,
  debug boolean not null default false,
  connection_key integer references connection,
  external_sql text,
  max_rows integer not null default 0 check (max_rows >= 0),
  skip_unchanged boolean not null default true,
  schedule text,
  overlap_seconds integer not null default 0 check (overlap_seconds >= 0),
  last_run_at timestamptz,
  version integer not null default 1,
  unique (organization_key, endpoint),
  check ((type = 'http') = (endpoint is not null))
);

create trigger connector_changes after update or delete on connector
  for each row execute function note_access_change('connector', 'key');

-- The last calls of a connector's sink. The query (all that a GET sends) and the body are kept only while the
-- connector's debug switch is on.
create table connector_call (
  key bigint generated always as identity primary key,
  connector_key integer not null references connector on delete cascade,
  at timestamptz not null,
  method text not null,
  bytes integer not null,
  rows integer not null,
  ms integer not null,
  error text,
  query text,
  body text
);

create index connector_call_connector on connector_call (connector_key, key desc);
