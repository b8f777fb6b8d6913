-- API keys. A secret is looked up by its hash, and also kept encrypted, because View Secret Key must show it.

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

create trigger api_key_changes after update or delete on api_key
  for each row execute function note_access_change('api_key', 'key');
