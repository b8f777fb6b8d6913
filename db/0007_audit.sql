-- The log of every change. Entries outlive the things they report, so nothing here is a reference.

create table audit (
  key bigint generated always as identity primary key,
  at timestamptz not null default now(),
  organization_key integer,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}'
);

create index audit_organization on audit (organization_key, key desc);
-- Lists are narrowed by time, and old entries go by it.
create index audit_organization_at on audit (organization_key, at desc);
create index audit_at on audit (at);
