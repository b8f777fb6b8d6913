-- Views for people who ask by SQL (docs/bi.md): the roles, each of one organization, and what they read. The schema coppice,
-- in which they see the views, is made together with the first role and not here: servers of the version before may run
-- as a user of that name, and would look for their tables in it.
--
-- A role is known by session_user, which no SET ROLE changes. Whatever is read comes through functions that run with
-- their owner's rights and look at the role first, or is joined to what these give: so statistics of the planner, which
-- are of all organizations, are not asked about names and values.
create schema bi;

create table bi.role (
  name name primary key,
  organization_key integer not null references organization on delete cascade,
  created_at timestamptz not null default now()
);

-- Edges of hours, days and months by the rules of the service, which are not always the database's. The zone of hours is
-- the minute at which they begin. rules is the version of the rules that the edges were made by; there are edges from
-- since to until.
create table bi.calendar (
  key integer generated always as identity primary key,
  cycle text not null check (cycle in ('hour', 'day', 'month')),
  zone text not null,
  rules text not null,
  since timestamptz not null,
  until timestamptz not null,
  unique (cycle, zone)
);

create table bi.edge (
  calendar_key integer not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  primary key (calendar_key, end_time)
);

create index edge_start on bi.edge (calendar_key, start_time);

create table bi.zone (
  name text primary key,
  hour_key integer not null references bi.calendar,
  day_key integer not null references bi.calendar,
  month_key integer not null references bi.calendar
);

create function bi.organization() returns integer language sql stable security definer as $$
  select organization_key from bi.role where name = session_user
$$;

create function bi.components() returns table (
  uid text, id text, name text, description text, folder text, time_zone text, template_id text, created_at timestamptz)
language plpgsql stable security definer as $$
#variable_conflict use_column
begin
  return query
    select component.uid, component.id, component.name, component.description, folder.path, component.time_zone,
      template.id, component.created_at
    from component
    join folder on folder.key = component.folder_key
    left join component as template on template.key = component.template_key
    where component.organization_key = bi.organization() and not component.is_template;
end $$;

create function bi.streams() returns table (
  key integer, component_uid text, component_id text, component_name text, folder text, time_zone text,
  uid text, id text, name text, description text, kind text, value_type text, unit text, base_cycle text,
  stream_position integer, hour_key integer, day_key integer, month_key integer)
language plpgsql stable security definer as $$
#variable_conflict use_column
begin
  -- Keeps chunks from being dropped until the statement ends.
  perform from chunk_hold;
  return query
    select stream.key, component.uid, component.id, component.name, folder.path, component.time_zone,
      stream.uid, stream.id, stream.name, stream.description, stream.kind, stream.value_type,
      coalesce(unit.symbol, ''), cycle.id, stream.position, zone.hour_key, zone.day_key, zone.month_key
    from component
    join folder on folder.key = component.folder_key
    join stream on stream.component_key = component.key
    left join unit on unit.key = stream.unit_key
    left join cycle on cycle.key = stream.base_cycle_key
    left join bi.zone as zone on zone.name = component.time_zone
    where component.organization_key = bi.organization() and not component.is_template;
end $$;

-- The spans in which a stream has samples, by stored times, three days and more apart: no hour and no day touches two. Days
-- of tiles list where there are samples; times that are stale, archived or not aggregated yet come on top.
create function bi.spans(stream integer) returns table (first_time timestamptz, last_time timestamptz)
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
       select first_time, last_time from stale where stream_key = $1
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

-- A numeric as a double; null beyond all doubles.
create function bi.finite(value numeric) returns double precision language sql immutable strict parallel safe as $$
  select case when abs($1) <= 1.7976931348623157e308 then $1::double precision end
$$;

-- The statistics of a stream's samples from from_time on and before until_time, by stored times: interval samples are
-- stored a millisecond before their end, and so belong to the interval that ends there. From tiles of hours, if all of
-- them are ready and none is stale or of removed samples; else from samples, and from the archive where these are gone.
create function bi.measure(stream integer, from_time timestamptz, until_time timestamptz) returns table (
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
      and until_time <= (select ready_until from rollup_phase where minutes = past_hour and layout = 2)
      and not exists (
        select from stale where stream_key = stream and first_time < until_time and last_time >= from_time);
    if is_tiled then
      rows_text := format('select %s from %I where stream_key = $1 and bucket >= $2 and bucket < $3', of_tiles,
        'tile_hour' || case past_hour when 0 then '' else '_' || past_hour end);
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

create view bi.component with (security_barrier) as
select uid, id, name, description, folder, time_zone, template_id, created_at
from bi.components();

create view bi.stream with (security_barrier) as
select component_id, component_uid, component_name, folder, time_zone, id, uid, name, description, kind, value_type, unit,
  base_cycle, stream_position as position
from bi.streams();

-- indexed_time is the column by which samples are found: time itself, in interval streams a millisecond less.
create view bi.sample with (security_barrier) as
select stream.component_id, stream.id as stream_id, sample.time, sample.time as start_time,
  case stream.value_type when 'LONG' then sample.long::double precision else sample.num end as value,
  case stream.value_type when 'LONG' then sample.long end as long, sample.text,
  stream.component_name, stream.folder, stream.unit, stream.value_type, sample.time as indexed_time
from bi.streams() as stream
join sample on sample.stream_key = stream.key
where stream.kind = 'random'
union all
select stream.component_id, stream.id, sample.time + interval '1 millisecond',
  sample.time + interval '1 millisecond' - sample.span * interval '1 second',
  case stream.value_type when 'LONG' then sample.long::double precision else sample.num end,
  case stream.value_type when 'LONG' then sample.long end, sample.text,
  stream.component_name, stream.folder, stream.unit, stream.value_type, sample.time
from bi.streams() as stream
join sample on sample.stream_key = stream.key
where stream.kind = 'interval'
union all
select stream.component_id, stream.id, sample.time, sample.time,
  case stream.value_type when 'LONG' then sample.long::double precision else sample.num end,
  case stream.value_type when 'LONG' then sample.long end, sample.text,
  stream.component_name, stream.folder, stream.unit, stream.value_type, sample.time
from bi.streams() as stream
join point_sample as sample on sample.stream_key = stream.key
where stream.kind = 'point';

create view bi.hour with (security_barrier) as
select stream.component_id, stream.id as stream_id, edge.end_time as time, edge.start_time, measure.*,
  stream.component_name, stream.folder, stream.unit, stream.value_type
from bi.streams() as stream
cross join lateral bi.spans(stream.key) as span
join bi.edge on edge.calendar_key = stream.hour_key
  and edge.end_time > span.first_time and edge.start_time <= span.last_time
cross join lateral bi.measure(stream.key, edge.start_time, edge.end_time) as measure;

create view bi.day with (security_barrier) as
select stream.component_id, stream.id as stream_id, edge.end_time as time, edge.start_time, measure.*,
  stream.component_name, stream.folder, stream.unit, stream.value_type
from bi.streams() as stream
cross join lateral bi.spans(stream.key) as span
join bi.edge on edge.calendar_key = stream.day_key
  and edge.end_time > span.first_time and edge.start_time <= span.last_time
cross join lateral bi.measure(stream.key, edge.start_time, edge.end_time) as measure;

create view bi.month with (security_barrier) as
select stream.component_id, stream.id as stream_id, edge.end_time as time, edge.start_time, measure.*,
  stream.component_name, stream.folder, stream.unit, stream.value_type
from bi.streams() as stream
cross join lateral (
  select min(first_time) as first_time, max(last_time) as last_time from bi.spans(stream.key)) as span
join bi.edge on edge.calendar_key = stream.month_key
  and edge.end_time > span.first_time and edge.start_time <= span.last_time
cross join lateral bi.measure(stream.key, edge.start_time, edge.end_time) as measure;

-- Nobody calls these but the roles that are made for it. Functions with their owner's rights, the older ones too, look for
-- tables where these are: a path that begins with the user's own schema would lead to the views.
do $$
declare
  own regprocedure;
begin
  for own in select oid from pg_proc where pronamespace in ('bi'::regnamespace, 'gs'::regnamespace) and prosecdef loop
    execute format('alter function %s set search_path = %I, pg_temp', own, current_schema());
  end loop;
  for own in select oid from pg_proc where pronamespace = 'bi'::regnamespace loop
    execute format('revoke all on function %s from public', own);
  end loop;
end $$;
