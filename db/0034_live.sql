-- Live feeds: while somebody listens to an organization, every transaction that stores or deletes samples of it writes
-- them down here, too, and servers read what has been committed since they last looked. Nobody listens, nothing is
-- written.

-- Organizations that somebody listens to. Servers with listeners prolong until; behind it the row goes, a while after the
-- last listener, so that one who comes back finds what happened meanwhile. A row that comes or goes is a change of the
-- catalogue (0015_gate), by which writers hear of it before they store anything.
create table live_interest (
  organization_key integer primary key,
  -- Whatever this snapshot does not see stands in the journal. Null at first, while writers are at work that began before
  -- the row was there.
  since pg_snapshot,
  until timestamptz not null
);

-- Serials are for the order within a transaction; of several transactions the later may have the lower ones. Readers go
-- by snapshots: they want what the snapshot of their last reading did not see.
create table live_journal (
  xact xid8 not null default pg_current_xact_id(),
  serial bigint generated always as identity (cache 100),
  organization_key integer not null,
  stream_key integer not null,
  span integer,
  -- As it is stored.
  time timestamptz not null,
  num double precision,
  long bigint,
  text text,
  -- Samples from time to before this were deleted, and none is stored.
  deleted_until timestamptz,
  primary key (xact, serial)
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_insert_scale_factor = 1);

-- Rows that trimmed sees may be gone.
create table live_state (trimmed pg_snapshot not null);
insert into live_state values (pg_current_snapshot());

-- Snapshots of the last minutes: by one that is old enough rows are found that have been visible for as long, however
-- long their transactions took.
create table live_mark (
  at timestamptz not null default now(),
  snapshot pg_snapshot not null default pg_current_snapshot()
);

-- open_gate, and the organizations that somebody listens to, by the same snapshot.
create function enter_gate(known_serial bigint)
returns table (claimed_until timestamptz, heard text, serial bigint, component_key integer)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7309453881);
  return query
    select state.claimed_until,
      (select string_agg(interest.organization_key::text, ',') from live_interest interest),
      change.serial, change.component_key
    from rollup_state state
    left join catalog_change change on change.serial > known_serial
    order by change.serial;
end $$;

-- Transactions that are inside the gate. Nothing that they store is in the journal if they came in before a row of
-- live_interest was there.
create function inside_gate() returns table (virtual_transaction text)
language sql as $$
  select distinct virtualtransaction
  from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = 7309453881 >> 32 and objid::bigint = 7309453881 & 4294967295 and objsubid = 1 and granted
$$;
