-- The gate as groups of uploads pass it, with the organizations that they are of: a change stands in the gate of its own
-- organization for as long as it takes, and closes that of all only for its commit. Thousands of components that followed their
-- template kept everybody's uploads waiting for as long before.

-- As pass_gate, and into the gates of these organizations. A closed one is not waited for, because the group is of others, too:
-- SQLSTATE CG002, with the closed ones in the detail. Changes are looked for behind all gates.
create function pass_gates(known_serial bigint, known_claimed_ms double precision, organizations integer[])
returns void
language plpgsql as $$
declare
  closed text;
begin
  perform pg_advisory_xact_lock_shared(7309453881);
  select string_agg(organization::text, ',') into closed
  from unnest(organizations) as organization
  where not pg_try_advisory_xact_lock_shared(hashtext('coppice own gate'), organization);
  if closed is not null then
    raise exception 'gates of organizations are closed' using errcode = 'CG002', detail = closed;
  end if;
  if exists (select from catalog_change where serial > known_serial)
    or (select extract(epoch from claimed_until) * 1000 from rollup_state) <> known_claimed_ms
  then
    raise exception 'the catalogue or the aggregates have changed' using errcode = 'CG001';
  end if;
end $$;
