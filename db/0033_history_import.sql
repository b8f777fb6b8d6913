-- Imports of history over HTTP, and how far each is stored: a client whose connection broke asks, and goes on from there.
-- The samples of a batch are stored before its row here says so: a part that is sent again overwrites itself.
create table history_import (
  key bigint generated always as identity primary key,
  organization_key integer not null references organization on delete cascade,
  -- The credential that began it, and goes on with it.
  actor text not null,
  id text not null,
  started_at timestamptz not null,
  touched_at timestamptz not null,
  ended_at timestamptz,
  -- The call that goes on with it; one that was overtaken stops.
  holder text not null,
  -- The columns of CSV, which stand in its first line only.
  columns text[],
  -- Of the body, inflated, up to the end of the last row that was stored or refused.
  bytes bigint not null default 0,
  lines bigint not null default 0,
  stored bigint not null default 0,
  refused bigint not null default 0,
  -- The first of those that were refused, with their lines and reasons.
  refusals jsonb not null default '[]',
  unique (organization_key, actor, id)
);
