-- What the log of a sink keeps beside the body while the connector's debug switch is on: what a GET sends.
alter table connector_call add column query text;

-- Round(1234, -2) is 1200, as in every SQL.
create or replace function gs.round_of(a bigint, places bigint) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if places >= 0 then return a; end if;
  -- The nearest multiple of 10^19 is 0, or does not fit.
  if places < -18 then return 0; end if;
  return gs.try_long(round(a::numeric, places::integer));
end $$;

create or replace function gs.round_of(a double precision, places bigint) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  -- From 2^53 on every double is whole. Halves go away from zero.
  if places > 20 or (places >= 0 and abs(a) >= 9007199254740992) then return a; end if;
  return round(a::text::numeric, greatest(places, -400)::integer)::double precision;
end $$;
