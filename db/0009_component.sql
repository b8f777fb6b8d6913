-- Components, and the folders, units and cycles that they and their streams use.

create table folder (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  path text not null check (path = '/Components' or path like '/Components/%'),
  unique (organization_key, path)
);

create table unit (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  id text,
  name text not null,
  symbol text not null default '',
  symbol_location text not null default 'after' check (symbol_location in ('before', 'after')),
  number_format text not null default '',
  boolean_style text not null default 'TRUE_FALSE',
  version integer not null default 1,
  unique (organization_key, id)
);

create table cycle (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  id text,
  name text not null,
  size integer not null check (size > 0),
  unit text not null check (unit in ('second', 'minute', 'hour', 'day', 'week', 'month', 'year')),
  -- A local time such as 2001-01-01T00:00:00: it has no moment until a time zone is known.
  reference text not null,
  -- Blank: the zone of the component that is asked about.
  time_zone text,
  is_stock boolean not null default false,
  version integer not null default 1,
  unique (organization_key, id)
);

-- A template is a component that owns no samples: all that can be said of one can be said of the other.
create table component (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  is_template boolean not null default false,
  id text,
  name text not null,
  description text not null default '',
  folder_key integer references folder,
  -- Blank only in a template: components made from it then take the organization's.
  time_zone text,
  template_key integer references component on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  unique (organization_key, is_template, id),
  check (is_template or time_zone is not null),
  check (is_template = (folder_key is null))
);

create index component_folder on component (folder_key);
create index component_template on component (template_key) where template_key is not null;
