-- Lists of many components and streams, and removals that say how far they are.

-- Lists are sorted by name unless they are asked for in another order.
create index component_name on component (organization_key, is_template, lower(name), key);
create index component_lower_id on component (organization_key, is_template, lower(id), key);

-- A text is looked for anywhere in the id, the name and the description, ignoring case: also that of letters which the
-- database's own locale does not know, such as Ä where it is C.
do $$
declare
  rules text := (
    select format(' collate %I.%I', nspname, collname)
    from pg_collation
    join pg_namespace on pg_namespace.oid = collnamespace
    where nspname = 'pg_catalog' and collname in ('pg_c_utf8', 'und-x-icu')
      and collencoding in (-1, (select encoding from pg_database where datname = current_database()))
    order by collname
    limit 1);
begin
  execute format($function$
    create function folded(written text) returns text
    language sql immutable strict parallel safe
    as $body$ select lower(written%s) $body$
  $function$, coalesce(rules, ''));
end $$;

-- Where the extension is not to be had, lists are searched row by row.
do $$
begin
  create extension if not exists pg_trgm;
  create index component_text on component
    using gin (folded(coalesce(id, '') || e'\n' || name || e'\n' || description) gin_trgm_ops);
  create index stream_text on stream
    using gin (folded(coalesce(id, '') || e'\n' || name || e'\n' || description) gin_trgm_ops);
exception
  when undefined_file or insufficient_privilege or feature_not_supported or undefined_object then
    raise notice 'pg_trgm is not to be had, and texts are searched row by row: %', sqlerrm;
end $$;

-- How far the removal of an entity with samples is. It outlives the entity and its organization, so nothing here is a
-- reference.
create table removal_progress (
  key bigint generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  organization_key integer not null,
  -- The user who asked for it: nobody else is left who may see that of an organization.
  user_key integer,
  entity text not null check (entity in ('organization', 'component', 'stream')),
  -- The uid of the entity, and the component whose rights count.
  subject text not null,
  component_uid text,
  name text not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  streams integer not null,
  streams_removed integer not null default 0,
  -- Of the streams that were counted so far.
  samples bigint not null default 0,
  samples_removed bigint not null default 0
);

create index removal_progress_organization on removal_progress (organization_key);
create index removal_progress_user on removal_progress (user_key);
create index removal_progress_ended on removal_progress (ended_at);

-- samples: null until they are counted.
alter table removal add column progress_key bigint, add column samples bigint;

create index removal_of_progress on removal (progress_key);
create index removal_uncounted on removal (since, stream_key) where samples is null and progress_key is not null;
