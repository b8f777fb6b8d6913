-- Users, the organizations they are members of, and their sessions.

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

create trigger user_account_changes after delete on user_account
  for each row execute function note_access_change('user', 'key');

create table member (
  organization_key integer not null references organization on delete cascade,
  user_key integer not null references user_account on delete cascade,
  role text not null check (role in ('guest', 'member', 'admin', 'owner')),
  since timestamptz not null default now(),
  primary key (organization_key, user_key)
);

create index member_user on member (user_key);

create trigger member_changes after insert or update or delete on member
  for each row execute function note_access_change('user', 'user_key');

-- Only a hash of the token is stored.
create table session (
  token_hash bytea primary key,
  user_key integer not null references user_account on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);

create index session_account on session (user_key);

create trigger session_changes after delete on session
  for each row execute function note_access_change('session', 'token_hash');
