-- The write gate, which lets writers of samples work from memory. Every transaction that writes samples opens it first
-- (a shared lock) and learns of the changes that it must heed. A transaction that changes something which writers
-- remember closes the gate (the exclusive lock), which waits for the writers inside.

-- Components whose streams were changed or removed. The transaction that makes the change writes the row.
create table catalog_change (
  serial bigint generated always as identity primary key,
  component_key integer not null,
  at timestamptz not null default now()
);

-- Opens the gate and gives how far tiles are claimed, and the changes after the one that the writer knows. The lock and
-- the reading are two statements of one function because each must have its own snapshot: read in the statement that
-- waits for the lock, the answer could be older than the lock.
create function open_gate(known_serial bigint)
returns table (claimed_until timestamptz, serial bigint, component_key integer)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7309453881);
  return query
    select state.claimed_until, change.serial, change.component_key
    from rollup_state state
    left join catalog_change change on change.serial > known_serial
    order by change.serial;
end $$;

-- Opens the gate for a writer that knows the answer of open_gate: in silence when the writer is right, with SQLSTATE
-- CG001 when something has changed since. So a writer can send the gate, its samples and the commit in one go.
create function pass_gate(known_serial bigint, known_claimed_ms double precision)
returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7309453881);
  if exists (select from catalog_change where serial > known_serial)
    or (select extract(epoch from claimed_until) * 1000 from rollup_state) <> known_claimed_ms
  then
    raise exception 'the catalogue or the aggregates have changed' using errcode = 'CG001';
  end if;
end $$;

create function close_gate() returns void
language sql as $$ select pg_advisory_xact_lock(7309453881) $$;
