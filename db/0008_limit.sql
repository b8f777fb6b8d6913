-- Rate limits over all servers on one database. Unlogged: a crash of the database loses the counts of a minute.

-- The processes that serve, so that each knows whether it is alone.
create unlogged table limit_process (
  uid text primary key,
  server_uid text not null,
  seen_at timestamptz not null default now()
);

-- Calls, or failures, of a bucket in its present window. A bucket is text of any kind that a caller sent, as bytes.
create unlogged table limit_use (
  bucket bytea primary key,
  ends_at timestamptz not null,
  used integer not null
);

create index limit_use_ends on limit_use (ends_at);
