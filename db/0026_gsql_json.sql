-- GS SQL: functions of JSON.

-- A byte order mark before JSON is no part of it.
create function gs.without_bom(value text) returns text language sql immutable strict parallel safe as $$
  select case when starts_with($1, U&'\FEFF') then substr($1, 2) else $1 end
$$;

create function gs.is_json(value text) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  perform gs.without_bom(value)::jsonb;
  return true;
exception when others then
  return false;
end $$;

-- A blank text is null. jsonb is tried because json takes texts that Postgres cannot hold.
create function gs.json_of(value text, site integer) returns json language plpgsql immutable strict parallel safe as $$
declare
  document text := gs.without_bom(value);
begin
  if document ~ '^[ \t\r\n]*$' then return null; end if;
  perform document::jsonb;
  return document::json;
exception when others then
  perform gs.fail('the text is not JSON', site);
end $$;

create function gs.json_children(value json) returns setof json language sql immutable parallel safe as $$
  select element from json_array_elements(case when json_typeof($1) = 'array' then $1 end) with ordinality as a(element, number)
  union all
  select member.value from json_each(case when json_typeof($1) = 'object' then $1 end) as member
$$;

create function gs.json_too_large(path bigint[]) returns boolean language plpgsql immutable parallel safe as $$
begin
  perform gs.fail('the text is too large and too deeply nested for a path with ..', -1);
end $$;

-- All values that the steps of a path lead to, in order. A step .. fails before it holds 64 MiB.
create function gs.json_walk(value json, steps jsonb) returns setof json language plpgsql immutable parallel safe as $$
declare
  here json[] := array[value];
  step jsonb;
  -- Each level below holds all the text of those under it once more.
  most_levels integer := 67108864 / greatest(octet_length(value::text), 1);
begin
  for step in select element from jsonb_array_elements(steps) with ordinality as s(element, number) order by number loop
    case step ->> 'kind'
      when 'member' then
        here := array(select one #> array[step ->> 'name'] from unnest(here) one where one #> array[step ->> 'name'] is not null);
      when 'index' then
        here := array(select one #> array[step ->> 'index'] from unnest(here) one where one #> array[step ->> 'index'] is not null);
      when 'all' then
        here := array(select child from unnest(here) one, gs.json_children(one) child);
      when 'filter' then
        here := array(select child from unnest(here) one, gs.json_children(one) child
          where jsonb_path_match(child::jsonb, (step ->> 'predicate')::jsonpath, silent => true));
      when 'slice' then
        here := array(
          select child
          from unnest(here) one,
            lateral (select json_array_length(case when json_typeof(one) = 'array' then one else '[]' end) as size) s,
            lateral json_array_elements(case when json_typeof(one) = 'array' then one else '[]' end) with ordinality as e(child, number),
            lateral (select coalesce((step ->> 'from')::integer, 0) as a, coalesce((step ->> 'to')::integer, size) as b) edge,
            lateral (select case when a < 0 then greatest(size + a, 0) else a end as low, case when b < 0 then size + b else b end as high) range
          where number - 1 >= low and number - 1 < high and (number - 1 - low) % (step ->> 'step')::integer = 0);
      when 'union' then
        here := array(select one #> array[key] from unnest(here) one, jsonb_array_elements_text(step -> 'keys') key
          where one #> array[key] is not null);
      else
        here := array(
          with recursive below(name, value, path) as (
            select null::text, one, array[number] from unnest(here) with ordinality as h(one, number)
            union all
            select child.name, child.value, below.path || child.number
            from (select * from below
              where case when array_length(path, 1) > most_levels then gs.json_too_large(path) else true end) below, lateral (
              select null::text as name, element as value, number
              from json_array_elements(case when json_typeof(below.value) = 'array' then below.value end) with ordinality as a(element, number)
              union all
              select member.key, member.value, number
              from json_each(case when json_typeof(below.value) = 'object' then below.value end) with ordinality as member(key, value, number)
            ) child
          )
          select below.value from below
          where array_length(path, 1) > 1 and (step ->> 'name' is null or name = step ->> 'name')
          order by path);
    end case;
  end loop;
  return query select one from unnest(here) one;
end $$;

-- A path without iteration is its keys alone; any other comes as steps.
create function gs.json_first(value text, keys text[], steps jsonb, site integer) returns json language plpgsql immutable parallel safe as $$
declare
  document json := gs.json_of(value, site);
begin
  if keys is not null then return document #> keys; end if;
  return (select one from gs.json_walk(document, steps) one limit 1);
end $$;

-- JSON has one kind of number: a sender writes 22 and 22.5 for the same. So a number that JSON_Value reads is a DOUBLE,
-- and 215 / 10 is 21.5, except for whole numbers that a DOUBLE does not hold exactly, which are LONGs.
create function gs.json_value_at(value text, keys text[], steps jsonb, site integer) returns jsonb language plpgsql immutable parallel safe as $$
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

create function gs.json_query_at(value text, keys text[], steps jsonb, site integer) returns text language plpgsql immutable parallel safe as $$
declare
  found json := gs.json_first(value, keys, steps, site);
begin
  return case when json_typeof(found) in ('object', 'array') then found::text end;
end $$;

create function gs.json_exists_at(value text, keys text[], steps jsonb, site integer) returns boolean language plpgsql immutable parallel safe as $$
begin
  if value is null or (keys is null and steps is null) then return null; end if;
  return gs.json_first(value, keys, steps, site) is not null;
end $$;
