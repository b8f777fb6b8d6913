-- Tiles of a phase other than the main one are those of the streams that need them: of components in the zones that are
-- listed for the phase, and of organizations that have a cycle in such a zone. Before, all streams had them as soon as one
-- component somewhere was in such a zone.
create table tile_zone (
  zone text not null,
  minutes integer not null,
  primary key (zone, minutes)
);

-- The components whose streams have such tiles, and of which phases. Nobody but the job that makes tiles changes it, so
-- that the job knows at every moment whose tiles it has made. Streams from next_stream on have none, or old ones, and are
-- still to join; null: all have joined. Those that came first are next. Since spare_since some of the tiles are not
-- needed: they stay for a day, so that it costs nobody anything if a component or a cycle comes and goes.
create table tile_member (
  component_key integer primary key,
  minutes integer[] not null,
  next_stream integer default 0,
  since timestamptz not null default now(),
  spare_since timestamptz
);

create index tile_member_next on tile_member (since, component_key) where next_stream is not null;
create index tile_member_spare on tile_member (spare_since) where spare_since is not null;

-- The streams that have tiles of these phases.
create view tile_stream as
select stream.key as stream_key, stream.kind, tile_member.minutes
from stream
join tile_member on tile_member.component_key = stream.component_key
where next_stream is null or stream.key < next_stream;

-- Components that are new or gone or in another zone, and organizations whose cycles are. The job looks at them again. Of
-- two such changes at the same time, the one that is committed later is looked at when both are there.
create table zone_change (
  organization_key integer,
  component_key integer
);

create function note_zone_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'cycle' then
    insert into zone_change (organization_key) values (coalesce(new.organization_key, old.organization_key));
  elsif tg_op = 'UPDATE' then
    insert into zone_change (component_key) values (new.key);
  else
    insert into zone_change (component_key) select key from changed;
  end if;
  return null;
end $$;

create trigger component_zone_new after insert on component
referencing new table as changed for each statement execute function note_zone_change();

create trigger component_zone_gone after delete on component
referencing old table as changed for each statement execute function note_zone_change();

create trigger component_zone_changed after update of time_zone on component
for each row when (old.time_zone is distinct from new.time_zone) execute function note_zone_change();

create trigger cycle_zone_new after insert on cycle
for each row when (new.time_zone is not null) execute function note_zone_change();

create trigger cycle_zone_gone after delete on cycle
for each row when (old.time_zone is not null) execute function note_zone_change();

create trigger cycle_zone_changed after update of time_zone on cycle
for each row when (old.time_zone is distinct from new.time_zone) execute function note_zone_change();

-- As before, but for the marks, which are found sooner.
--
-- The spans in which a stream has samples, by stored times, three days and more apart: no hour and no day touches two. Days
-- of tiles list where there are samples; times that are stale, archived or not aggregated yet come on top.
create or replace function bi.spans(stream integer) returns table (first_time timestamptz, last_time timestamptz)
language plpgsql stable security definer rows 2 as $$
#variable_conflict use_column
declare
  stream_kind text;
  listed_until constant timestamptz := (
    select time_bucket('1 day', ready_until) from rollup_phase where minutes = 0 and layout = 2);
  days text;
begin
  select own.kind into stream_kind
  from stream as own
  join component on component.key = own.component_key
  join bi.role on role.organization_key = component.organization_key
  where own.key = stream and role.name = session_user and not component.is_template;
  if stream_kind is null then return; end if;
  if stream_kind = 'point' then
    return query select time, time from point_sample where stream_key = stream;
    return;
  end if;
  if listed_until is null then
    days := 'select time_bucket(''1 day'', time), time_bucket(''1 day'', time) + interval ''1 day''
      from sample where stream_key = $1 group by 1';
  else
    days := 'select bucket, bucket + interval ''1 day'' from tile_day where stream_key = $1 and bucket < $2
      union all
      select min(time), max(time) from sample where stream_key = $1 and time >= $2';
  end if;
  return query execute format(
    'with recursive archived (day) as (
       (select time_bucket(''1 day'', bucket) from archive where stream_key = $1 order by bucket limit 1)
       union all
       select (
         select time_bucket(''1 day'', bucket) from archive
         where stream_key = $1 and bucket >= day + interval ''1 day'' order by bucket limit 1)
       from archived where day is not null
     ), part (first_at, last_at) as (
       %s
       union all
       select first_time, last_time from stale_of(array[$1])
       union all
       select day, day + interval ''1 day'' from archived
     ), step as (
       select first_at, last_at, first_at > max(last_at) over (
         order by first_at, last_at rows between unbounded preceding and 1 preceding) + interval ''3 days'' as is_apart
       from part where first_at is not null
     ), island as (
       select first_at, last_at, count(*) filter (where is_apart) over (order by first_at, last_at) as number
       from step
     )
     select min(first_at), max(last_at) from island group by number', days)
    using stream, listed_until;
end $$;

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
  -- All that is asked here is asked for every interval, by plans that are made once. The function
  -- stale_of becomes part of its statement; one that does not would take longer.
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
      and (past_hour = 0 or exists (select from tile_stream where stream_key = stream and past_hour = any(minutes)))
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
  execute format('alter function bi.spans(integer) set search_path = %I, pg_temp', current_schema());
end $$;
