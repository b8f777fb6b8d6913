-- The OAuth 2.0 authorization service. Of secrets, codes and tokens only hashes are stored.

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

-- A row per consent: a user lets a client into one organization, with a scope. All tokens that come of it share its
-- fate, and it ends with the user's membership, and so with the organization.
create table oauth_grant (
  key bigint generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  client_key integer not null references oauth_client on delete cascade,
  user_key integer not null references user_account on delete cascade,
  organization_key integer not null,
  scope text not null check (scope in ('read', 'read write')),
  -- Of the secret that a client registered without one passed with the code.
  secret_hash bytea,
  created_at timestamptz not null default now(),
  foreign key (organization_key, user_key) references member on delete cascade
);

create index oauth_grant_client on oauth_grant (client_key);
create index oauth_grant_member on oauth_grant (user_key, organization_key);

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
  -- A token keeps the scope that it was given; the grant's scope is for the next one.
  scope text not null check (scope in ('read', 'read write')),
  expires_at timestamptz not null,
  used_at timestamptz
);

create index oauth_token_grant on oauth_token (grant_key);

create trigger oauth_token_changes after delete on oauth_token
  for each row when (old.kind = 'access') execute function note_access_change('grant', 'grant_key');
