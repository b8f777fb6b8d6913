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
