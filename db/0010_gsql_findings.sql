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

-- Takes the size only to hang on the row, as gs.too_large does.
create function gs.list_too_large(size numeric, site integer) returns boolean language plpgsql immutable parallel safe as $$
begin
  perform gs.fail('IN (SELECT ...) gives more than 67108864 bytes', site);
end $$;

create function gs.json_too_large(path bigint[]) returns boolean language plpgsql immutable parallel safe as $$
begin
  perform gs.fail('the text is too large and too deeply nested for a path with ..', -1);
end $$;

-- As before, but .. ends before what it looks through outgrows 64 MiB.
create or replace function gs.json_walk(value json, steps jsonb) returns setof json language plpgsql immutable parallel safe as $$
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

