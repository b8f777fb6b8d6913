-- GS SQL: the streams and samples that a script can read: those of the organization named by the setting
-- gs.organization and, unless it is empty, of the components listed in gs.components.

create view gs.stream_row with (security_barrier) as
select stream.key as stream_key, component.id as cid, component.uid as cuid, component.name as cname,
  stream.id, stream.uid, stream.name, stream.description, folder.path as folder_path, component.time_zone,
  stream.kind, stream.value_type, coalesce(unit.symbol, '') as unit, stream.position, component.key as component_key
from component
join folder on folder.key = component.folder_key
join stream on stream.component_key = component.key
left join unit on unit.key = stream.unit_key
where component.organization_key = nullif(current_setting('gs.organization', true), '')::integer
  and not component.is_template
  and (nullif(current_setting('gs.components', true), '') is null
    or component.key = any (nullif(current_setting('gs.components', true), '')::integer[]));

create function gs.stored_at(ms bigint) returns timestamptz language sql immutable strict parallel safe as $$
  select to_timestamp($1 / 1000) + ($1 % 1000) * interval '1 millisecond'
$$;

-- The kind of a stream that may be read, else null.
create function gs.readable_kind(stream integer) returns text language sql stable security definer as $$
  select kind from gs.stream_row where stream_key = stream
$$;

-- The samples of a stream, timed as they are shown: from low on, before high (null: open), and of these the last `most`
-- (null: all). A function, and not a view, because it asks once for the stream and not once for each sample, and
-- because the last ones are then read backwards from the end.
create function gs.samples(stream integer, low bigint, high bigint, most bigint)
returns table (ms bigint, start_ms bigint, num double precision, long bigint, text text)
language plpgsql stable security definer as $$
#variable_conflict use_column
declare
  kind text := gs.readable_kind(stream);
  -- Interval streams are stored at their end less one millisecond.
  shift bigint := case when kind = 'interval' then 1 else 0 end;
  first_time timestamptz := gs.stored_at(greatest(low, -62135596800000) - shift);
  last_time timestamptz := gs.stored_at(least(high, 253402300800001) - shift);
begin
  if kind is null then return; end if;
  first_time := coalesce(first_time, '-infinity');
  last_time := coalesce(last_time, 'infinity');
  if kind = 'point' then
    return query select t.ms, t.ms, p.num, p.long, p.text from point_sample p, lateral (select gs.millis_of(timezone('UTC', p.time)) as ms) t
      where p.stream_key = stream and p.time >= first_time and p.time < last_time;
  elsif most is null then
    return query select t.ms, t.ms - coalesce(s.span, 0)::bigint * 1000, s.num, s.long, s.text
      from sample s, lateral (select gs.millis_of(timezone('UTC', s.time)) + shift as ms) t
      where s.stream_key = stream and s.time >= first_time and s.time < last_time
      order by s.time;
  else
    return query select t.ms, t.ms - coalesce(s.span, 0)::bigint * 1000, s.num, s.long, s.text
      from (select * from sample s where s.stream_key = stream and s.time >= first_time and s.time < last_time order by s.time desc limit most) s,
        lateral (select gs.millis_of(timezone('UTC', s.time)) + shift as ms) t
      order by s.time;
  end if;
end $$;

-- The time at which a stream begins, or null.
create function gs.first_ms(stream integer) returns bigint language plpgsql stable security definer as $$
declare
  kind text := gs.readable_kind(stream);
begin
  if kind = 'point' then return (select gs.millis_of(timezone('UTC', time)) from point_sample where stream_key = stream); end if;
  if kind is null then return null; end if;
  return (select gs.millis_of(timezone('UTC', time)) + (case when kind = 'interval' then 1 else 0 end)
    from sample where stream_key = stream order by time limit 1);
end $$;

-- The value of a sample by its stream's type: 1 and 0 of a BOOLEAN are true and false.
create function gs.any_sample(value_type text, num double precision, long bigint, text text) returns jsonb
language sql stable parallel safe as $$
  select case value_type when 'DOUBLE' then case when num <> trunc(num) then to_jsonb(num) else gs.any_of(num) end
    when 'BOOLEAN' then to_jsonb(num = 1) when 'LONG' then to_jsonb(long) else to_jsonb(text) end
$$;

-- Functions that run with their owner's rights look for tables where these migrations made them, and among the caller's
-- temporary ones last.
do $$
declare
  definer regprocedure;
begin
  foreach definer in array array['gs.readable_kind(integer)', 'gs.samples(integer, bigint, bigint, bigint)',
    'gs.first_ms(integer)']::regprocedure[]
  loop
    execute format('alter function %s set search_path = %s, pg_temp', definer, current_setting('search_path'));
  end loop;
end $$;

revoke all on function gs.readable_kind(integer), gs.samples(integer, bigint, bigint, bigint), gs.first_ms(integer) from public;
grant usage on schema gs to coppice_gsql;
grant select on gs.stream_row to coppice_gsql;
grant execute on function gs.readable_kind(integer), gs.samples(integer, bigint, bigint, bigint), gs.first_ms(integer) to coppice_gsql;
-- A script reads samples by one snapshot, and so keeps chunks from being dropped.
grant select on chunk_hold to coppice_gsql;
