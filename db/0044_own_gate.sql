-- A gate for each organization, for writers that may take long: imports, scripts, deletions, uploads that create or wait.
-- In the gate of all, one of them keeps changes of everybody out for as long as it takes. So it stands in the gate of its own
-- organization, which changes of that organization close, and passes that of all at its end, for as long as its commit takes.

-- As enter_gate, but into the gate of the organization. A server of the version before closes the gate of all only, and does
-- not know of this one: for it, all who stand in one hold a lock that close_gate takes as well.
create function enter_own_gate(organization integer, known_serial bigint)
returns table (claimed_until timestamptz, heard text, serial bigint, component_key integer)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7309453882);
  perform pg_advisory_xact_lock_shared(hashtext('coppice own gate'), organization);
  return query
    select state.claimed_until,
      (select string_agg(interest.organization_key::text, ',') from live_interest interest),
      change.serial, change.component_key
    from rollup_state state
    left join catalog_change change on change.serial > known_serial
    order by change.serial;
end $$;

-- Closes the gate of an organization: waits for its writers of that kind, and for nobody else's.
create function close_own_gate(organization integer) returns void
language sql as $$ select pg_advisory_xact_lock(hashtext('coppice own gate'), organization) $$;

-- The same, if nobody is in the way.
create function try_close_own_gate(organization integer) returns boolean
language sql as $$ select pg_try_advisory_xact_lock(hashtext('coppice own gate'), organization) $$;

-- Closes the gate of all for those who have closed the gates of the organizations that they change.
create function close_common_gate() returns void
language sql as $$ select pg_advisory_xact_lock(7309453881) $$;

create or replace function close_gate() returns void
language sql as $$
  select pg_advisory_xact_lock(7309453882);
  select pg_advisory_xact_lock(7309453881)
$$;
