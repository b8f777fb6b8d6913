-- The write gate for writers that know what it would tell them (core/lane.ts): passed in silence when they are
-- right, refused with SQLSTATE CG001 when something has changed since, so that a writer can send the gate, its
-- samples and the commit in one go. Like open_gate, it reads after it has the lock, each with a snapshot of its own.
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
