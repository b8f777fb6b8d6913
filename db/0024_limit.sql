-- Rate limits over all servers on one database (src/base/limit.ts, src/base/limit-failure.ts). Unlogged: what is lost with
-- a crash of the database is a minute's counts.

-- The processes that serve, so that each knows whether it is alone.
create unlogged table limit_process (
  uid text primary key,
  server_uid text not null,
  seen_at timestamptz not null default now()
);

-- Calls, or failures, of a bucket in its present window. The bucket is text of any kind that a caller sent, as bytes.
create unlogged table limit_use (
  bucket bytea primary key,
  ends_at timestamptz not null,
  used integer not null
);

create index limit_use_ends on limit_use (ends_at);

-- Old entries go (src/core/audit.ts), and lists are narrowed by time.
create index audit_at on audit (at);
create index audit_organization_at on audit (organization_key, at desc);
