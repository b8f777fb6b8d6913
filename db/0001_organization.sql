-- Organizations, their people, and the log of every change.
-- In all tables: key is ours and never leaves the server, uid is the handle on the wire,
-- id (where there is one) is what the user gave and may be blank (service.md 1).

create extension if not exists timescaledb;

create table installation (
  is_only boolean primary key default true check (is_only),
  -- A hash made with the master key: a server with another key is refused.
  key_check bytea not null
);

create table organization (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  name text not null,
  is_public boolean not null default false,
  plan jsonb not null default '{"gsql": true}',
  retention_days integer check (retention_days > 0),
  brand jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now()
);

create table user_account (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  time_zone text not null,
  password_hash text not null,
  version integer not null default 1,
  created_at timestamptz not null default now()
);

-- E-mails ignore case.
create unique index user_account_email on user_account (lower(email));

create table member (
  organization_key integer not null references organization on delete cascade,
  user_key integer not null references user_account on delete cascade,
  role text not null check (role in ('guest', 'member', 'admin', 'owner')),
  since timestamptz not null default now(),
  primary key (organization_key, user_key)
);

create index member_user on member (user_key);

-- Entries outlive what they tell of, so nothing here is a reference.
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
