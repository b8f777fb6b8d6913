-- Tiles of a phase other than the main one are those of the streams that need them: of components in the zones that are
-- listed for the phase, and of organizations that have a cycle in such a zone. Before, all streams had them as soon as one
-- component somewhere was in such a zone.
create table tile_zone (
  zone text not null,
  minutes integer not null,
  primary key (zone, minutes)
);

create index component_zone on component (time_zone);

-- A component may be here twice.
create view tile_member as
select component.key as component_key, tile_zone.minutes
from tile_zone
join component on component.time_zone = tile_zone.zone
union all
select component.key, tile_zone.minutes
from tile_zone
join cycle on cycle.time_zone = tile_zone.zone
join component on component.organization_key = cycle.organization_key;

-- Components that came to have tiles of a phase, whose streams may have none there before until_time, or old ones. They
-- are taken one after another, those that came first, and of each its streams by their keys. Not by stream: a
-- cycle may bring a million, and come again and again; readers find a component by its key.
create table tile_joining (
  component_key integer primary key,
  until_time timestamptz not null,
  next_stream integer not null default 0,
  since timestamptz not null default now()
);

create index tile_joining_since on tile_joining (since);

-- The streams whose tiles of a phase may be read. A stream may be here twice.
create view tile_stream as
select stream.key as stream_key, tile_member.minutes
from stream
join tile_member on tile_member.component_key = stream.component_key
where not exists (
  select from tile_joining
  where tile_joining.component_key = stream.component_key and next_stream <= stream.key);

create function join_tiles(component_keys integer[], until_moment timestamptz) returns void language sql as $$
  insert into tile_joining (component_key, until_time)
  select key, until_moment
  from unnest(component_keys) as key
  where until_moment > '0001-01-01 00:00:00+00'
  order by key
  on conflict (component_key) do update
  set until_time = greatest(tile_joining.until_time, excluded.until_time), next_stream = 0, since = now()
$$;

-- A component that comes into a zone has no tiles there: its streams are read without them until they are made. In the
-- gate nothing more is claimed, and filled without these streams, before this transaction ends. The lock is for the case
-- that the zone is being listed: either this sees it listed, or whoever lists it waits and sees the component.
create function join_component_zone() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7309453881);
  lock table tile_zone in row exclusive mode;
  if exists (
    select minutes from tile_zone where zone = new.time_zone
    except
    select minutes from tile_zone where zone = old.time_zone)
  then perform join_tiles(array[new.key], claimed_until) from rollup_state; end if;
  return null;
end $$;

create trigger component_zone_changed after update of time_zone on component
for each row when (old.time_zone is distinct from new.time_zone) execute function join_component_zone();

-- The same for all components of an organization that gets a cycle in such a zone, unless it has one.
create function join_cycle_zone() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7309453881);
  lock table tile_zone in row exclusive mode;
  if exists (select from tile_zone where zone = new.time_zone) and not exists (
    select from cycle
    where organization_key = new.organization_key and time_zone = new.time_zone and key <> new.key)
  then
    perform join_tiles(array(select key from component where organization_key = new.organization_key), claimed_until)
    from rollup_state;
  end if;
  return null;
end $$;

create trigger cycle_zone_new after insert on cycle
for each row when (new.time_zone is not null) execute function join_cycle_zone();

create trigger cycle_zone_changed after update of time_zone on cycle
for each row when (new.time_zone is not null and old.time_zone is distinct from new.time_zone)
execute function join_cycle_zone();

-- As before, but for tiles that not all streams have.
--
-- The statistics of a stream's samples from from_time on and before until_time, by stored times: interval samples are
-- stored a millisecond before their end, and so belong to the interval that ends there. From tiles of hours, if all of
-- them are ready and none is stale or of removed samples; else from samples, and from the archive where these are gone.
create or replace function bi.measure(stream integer, from_time timestamptz, until_time timestamptz) returns table (
  first double precision, last double precision, min double precision, max double precision, avg double precision,
  sum double precision, min_time timestamptz, max_time timestamptz, count bigint, covered_ms bigint,
  first_long bigint, last_long bigint, min_long bigint, max_long bigint, sum_long numeric, first_text text, last_text text)
language plpgsql stable security definer rows 1 as $$
#variable_conflict use_column
declare
  of_samples constant text := $text$
    min(time) as first_time, max(time) as last_time, count(*) as samples,
    count(*) filter (where num is not null or long is not null or text is not null) as filled,
    (sum(span) filter (where num is not null or long is not null or text is not null))::bigint as covered,
    sum(num) filter (where num between -1e280 and 1e280) as sum_num,
    sum(num * span) filter (where num between -1e280 and 1e280) as weighted_num,
    sum(num::text::numeric) filter (where not num between -1e280 and 1e280) as huge_num,
    sum(num::text::numeric * span) filter (where not num between -1e280 and 1e280) as huge_weighted_num,
    min(num) as min_num, max(num) as max_num,
    first(num, time) filter (where num is not null) as first_num,
    last(num, time) filter (where num is not null) as last_num,
    sum(long) as sum_long, sum(long::numeric * span) as weighted_long, min(long) as min_long, max(long) as max_long,
    first(long, time) filter (where long is not null) as first_long,
    last(long, time) filter (where long is not null) as last_long,
    first(text, time) filter (where text is not null) as first_text,
    last(text, time) filter (where text is not null) as last_text,
    coalesce(first(time, num order by time), first(time, long order by time)) as min_time,
    coalesce(last(time, num order by time), last(time, long order by time)) as max_time $text$;
  of_tiles constant text := $text$
    min(first_time) as first_time, max(last_time) as last_time, sum(samples)::bigint as samples,
    sum(filled)::bigint as filled, sum(covered)::bigint as covered, sum(sum_num) as sum_num,
    sum(weighted_num) as weighted_num, sum(huge_num) as huge_num, sum(huge_weighted_num) as huge_weighted_num,
    min(min_num) as min_num, max(max_num) as max_num,
    first(first_num, bucket) filter (where first_num is not null) as first_num,
    last(last_num, bucket) filter (where last_num is not null) as last_num,
    sum(sum_long) as sum_long, sum(weighted_long) as weighted_long, min(min_long) as min_long, max(max_long) as max_long,
    first(first_long, bucket) filter (where first_long is not null) as first_long,
    last(last_long, bucket) filter (where last_long is not null) as last_long,
    first(first_text, bucket) filter (where first_text is not null) as first_text,
    last(last_text, bucket) filter (where last_text is not null) as last_text,
    coalesce(first(min_time, min_num order by min_time), first(min_time, min_long order by min_time)) as min_time,
    coalesce(last(max_time, max_num order by max_time), last(max_time, max_long order by max_time)) as max_time $text$;
  archived constant text := $text$
    bucket, first_time, last_time, samples, filled, covered, sum_num, weighted_num, huge_num, huge_weighted_num, min_num,
    max_num, first_num, last_num, sum_long, weighted_long, min_long, max_long, first_long, last_long, first_text,
    last_text, min_time, max_time $text$;
  asked record;
  past_hour constant integer := extract(minute from from_time at time zone 'UTC');
  has_archive boolean;
  is_tiled boolean := false;
  rows_text text;
  tile record;
begin
  -- All that is asked here is asked for every interval, by plans that are made once; a function would take longer.
  select own.kind, own.value_type into asked
  from stream as own
  join component on component.key = own.component_key
  join bi.role on role.organization_key = component.organization_key
  where own.key = stream and role.name = session_user and not component.is_template;
  if asked.kind is null then return; end if;
  if asked.kind = 'point' then
    rows_text := format('select %s from (select time, null::integer as span, num, long, text from point_sample where stream_key = $1 and time >= $2 and time < $3) as point', of_samples);
  else
    has_archive := exists (
      select from kept where stream_key = stream and since < until_time and until > from_time);
    is_tiled := not has_archive
      and past_hour in (0, 15, 30)
      and from_time = date_trunc('minute', from_time)
      and (extract(epoch from until_time) - extract(epoch from from_time)) % 3600 = 0
      and until_time <= (
        select ready_until from rollup_phase where minutes = past_hour and layout = case past_hour when 0 then 2 else 3 end)
      and (past_hour = 0 or exists (select from tile_stream where stream_key = stream and minutes = past_hour))
      and not exists (select from stale_of(array[stream]) where first_time < until_time and last_time >= from_time);
    if is_tiled then
      rows_text := format('select %s from %I where stream_key = $1 and bucket >= $2 and bucket < $3', of_tiles,
        case past_hour when 0 then 'tile_hour' else 'zone_hour_' || past_hour end);
    elsif has_archive then
      -- An interval whose edge cuts what the archive has together has no statistics.
      if exists (
        select from archive
        where stream_key = stream and bucket >= from_time - interval '15 minutes' and bucket < until_time
          and last_time >= from_time and first_time < until_time and (first_time < from_time or last_time >= until_time))
      then return; end if;
      rows_text := format(
        'select %s from (
           select time_bucket(interval ''15 minutes'', time) as bucket, %s
           from sample where stream_key = $1 and time >= $2 and time < $3 group by 1
           union all
           select %s from archive
           where stream_key = $1 and bucket >= $2 - interval ''15 minutes'' and bucket < $3
             and last_time >= $2 and first_time < $3) as tile', of_tiles, of_samples, archived);
    else
      rows_text := format('select %s from sample where stream_key = $1 and time >= $2 and time < $3', of_samples);
    end if;
  end if;
  if is_tiled and past_hour = 0 and until_time - from_time = interval '1 hour' then
    -- By a plan that is made once: of these there are most.
    select * into tile from tile_hour where stream_key = stream and bucket = from_time;
  else
    execute rows_text into tile using stream, from_time, until_time;
  end if;
  if coalesce(tile.samples, 0) = 0 then return; end if;
  count := tile.filled;
  covered_ms := case asked.kind when 'interval' then coalesce(tile.covered, 0) * 1000
    else (extract(epoch from until_time - from_time) * 1000)::bigint end;
  if asked.value_type = 'STRING' then
    first_text := tile.first_text;
    last_text := tile.last_text;
  elsif asked.value_type = 'LONG' then
    first_long := tile.first_long;
    last_long := tile.last_long;
    min_long := tile.min_long;
    max_long := tile.max_long;
    sum_long := tile.sum_long;
    first := first_long;
    last := last_long;
    min := min_long;
    max := max_long;
    sum := sum_long::double precision;
    avg := case asked.kind when 'interval' then tile.weighted_long / nullif(tile.covered, 0)
      else tile.sum_long / nullif(tile.filled, 0) end;
  elsif asked.value_type <> 'FILE' then
    first := tile.first_num;
    last := tile.last_num;
    min := tile.min_num;
    max := tile.max_num;
    sum := case when tile.huge_num is null then tile.sum_num
      else bi.finite(tile.huge_num + coalesce(tile.sum_num, 0)::numeric) end;
    avg := case
      when asked.kind <> 'interval' and tile.huge_num is null then tile.sum_num / nullif(tile.filled, 0)
      when asked.kind <> 'interval' then
        bi.finite((tile.huge_num + coalesce(tile.sum_num, 0)::numeric) / nullif(tile.filled, 0))
      when tile.huge_weighted_num is null then tile.weighted_num / nullif(tile.covered, 0)
      else bi.finite((tile.huge_weighted_num + coalesce(tile.weighted_num, 0)::numeric) / nullif(tile.covered, 0)) end;
  end if;
  if asked.value_type in ('DOUBLE', 'LONG', 'BOOLEAN') then
    -- Interval streams are stored at their end less one millisecond.
    min_time := tile.min_time + case asked.kind when 'interval' then interval '1 millisecond' else interval '0' end;
    max_time := tile.max_time + case asked.kind when 'interval' then interval '1 millisecond' else interval '0' end;
  end if;
  return next;
end $$;

do $$
begin
  execute format(
    'alter function bi.measure(integer, timestamptz, timestamptz) set search_path = %I, pg_temp', current_schema());
end $$;
