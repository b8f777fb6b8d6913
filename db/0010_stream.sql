-- Streams of components.

create table stream (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  component_key integer not null references component on delete cascade,
  id text,
  name text not null,
  description text not null default '',
  kind text not null check (kind in ('random', 'interval', 'point')),
  value_type text not null check (value_type in ('DOUBLE', 'LONG', 'BOOLEAN', 'STRING', 'FILE')),
  base_cycle_key integer references cycle,
  unit_key integer references unit,
  -- The definition order within the component, from 1.
  position integer not null check (position > 0),
  expression text,
  variables jsonb,
  version integer not null default 1,
  unique (component_key, id),
  unique (component_key, position) deferrable initially immediate,
  check ((kind = 'interval') = (base_cycle_key is not null))
);

create index stream_base_cycle on stream (base_cycle_key) where base_cycle_key is not null;
create index stream_unit on stream (unit_key) where unit_key is not null;
create index stream_derived on stream (component_key) where variables is not null;

-- Streams that are gone and whose samples and files still have to go.
create table removal (
  stream_key integer primary key,
  since timestamptz not null default now()
);
