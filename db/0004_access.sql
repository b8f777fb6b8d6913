-- API keys, sessions, and the OAuth 2.0 authorization service. Of every secret only a hash is looked up;
-- an API key's is also kept encrypted, because View Secret Key must show it (decisions 7).

create table api_key (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  name text not null,
  secret_hash bytea not null unique,
  secret_encrypted bytea not null,
  -- [{"resource": "component/*/feed", "methods": ["GET", "PUT"]}]
  capabilities jsonb not null default '[]',
  addresses text[] not null default '{}',
  enabled boolean not null default true,
  expires_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now()
);

create index api_key_organization on api_key (organization_key);

create table session (
  token_hash bytea primary key,
  user_key integer not null references user_account on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);

create index session_account on session (user_key);

create table oauth_client (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  client_id text not null unique,
  name text not null,
  redirect_uris text[] not null,
  secret_hash bytea,
  password_login boolean not null default true,
  require_pkce boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now()
);

create index oauth_client_organization on oauth_client (organization_key);

-- One row per consent: all tokens that come of it share its fate.
create table oauth_grant (
  key bigint generated always as identity primary key,
  client_key integer not null references oauth_client on delete cascade,
  user_key integer not null references user_account on delete cascade,
  scope text,
  -- Of a secret that a client registered without one passed with the code (5.3).
  secret_hash bytea,
  created_at timestamptz not null default now()
);

create index oauth_grant_client on oauth_grant (client_key);
create index oauth_grant_user on oauth_grant (user_key);

create table oauth_code (
  code_hash bytea primary key,
  grant_key bigint not null references oauth_grant on delete cascade,
  redirect_uri text not null,
  challenge text,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index oauth_code_grant on oauth_code (grant_key);

create table oauth_token (
  token_hash bytea primary key,
  grant_key bigint not null references oauth_grant on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz
);

create index oauth_token_grant on oauth_token (grant_key);

-- What a server must not know from memory any more: 'api_key 3', 'user 7', 'organization 1', 'grant 9',
-- 'session \x..'. Servers ask for what is new twice a second while they are in use (access/memory.ts). Triggers
-- write it, so that no way of removing a credential, cascades included, can forget to. xact is compared with
-- the horizon of the reader's last snapshot: a serial could become visible after a later one was read.
create table access_change (
  serial bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  tag text not null,
  at timestamptz not null default now()
);

create index access_change_xact on access_change (xact);

create function note_access_change() returns trigger
language plpgsql as $$
declare
  changed jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  insert into access_change (tag) values (tg_argv[0] || ' ' || (changed ->> tg_argv[1]));
  return null;
end $$;

create trigger api_key_changes after update or delete on api_key
  for each row execute function note_access_change('api_key', 'key');
create trigger organization_changes after update or delete on organization
  for each row execute function note_access_change('organization', 'key');
create trigger member_changes after insert or update or delete on member
  for each row execute function note_access_change('user', 'user_key');
create trigger user_account_changes after delete on user_account
  for each row execute function note_access_change('user', 'key');
create trigger session_changes after delete on session
  for each row execute function note_access_change('session', 'token_hash');
create trigger oauth_token_changes after delete on oauth_token
  for each row when (old.kind = 'access') execute function note_access_change('grant', 'grant_key');
