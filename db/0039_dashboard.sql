-- Dashboards: named pages of charts, last values, tables and texts.
create table dashboard (
  key integer generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null references organization on delete cascade,
  name text not null,
  description text not null default '',
  -- The tiles with their places. They name components by uid, and keep the name of one that is gone, so nothing here is
  -- a reference.
  tiles jsonb not null,
  version integer not null default 1
);

create index dashboard_organization on dashboard (organization_key);
