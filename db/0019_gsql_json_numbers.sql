-- JSON has one kind of number: a sender writes 22 and 22.5 for the same. So what JSON_Value reads is a DOUBLE, and
-- 215 / 10 is 21.5, except for whole numbers that a DOUBLE does not hold exactly, which are LONGs.
create or replace function gs.json_value_at(value text, keys text[], steps jsonb, site integer) returns jsonb language plpgsql immutable parallel safe as $$
declare
  found json := gs.json_first(value, keys, steps, site);
  number text;
begin
  if json_typeof(found) in ('string', 'boolean') then return found::jsonb; end if;
  if json_typeof(found) <> 'number' then return null; end if;
  number := found #>> '{}';
  if length(number) > 15 and number ~ '^-?\d+$' and gs.try_long(number) is not null
      and number::bigint not between -9007199254740992 and 9007199254740992 then
    return to_jsonb(number::bigint);
  end if;
  return gs.any_of(gs.try_double(number));
end $$;
