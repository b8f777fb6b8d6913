-- Organizations, to which everything else belongs.

create table organization (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  name text not null,
  time_zone text not null default 'UTC',
  is_public boolean not null default false,
  plan jsonb not null default '{"gsql": true}',
  brand jsonb not null default '{}',
  -- Null: samples are kept for ever.
  retention_days integer check (retention_days > 0),
  -- Samples before this moment are archived, and uploads of such samples refused. Null while retention_days is, and
  -- after it was raised until the moment is set anew.
  kept_until timestamptz,
  -- A deleted organization is marked; everything below it goes afterwards, a part at a time.
  is_removed boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now()
);

create index organization_removed on organization (key) where is_removed;

-- A brand's domain belongs to one organization, also when two claim it in the same moment.
create unique index organization_brand_domain on organization (lower(brand ->> 'domain'));

-- The other columns, of which kept_until changes every day, are not remembered with credentials.
create trigger organization_changes after delete or update of uid, name, is_public, plan on organization
  for each row execute function note_access_change('organization', 'key');
