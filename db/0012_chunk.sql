-- Chunks of samples and of tiles.
--
-- A chunk per week is right for the years in which devices measure, but a sample may lie in any of ten thousand years:
-- 100,000 scattered samples would make as many tables, from which all readings and the locks of the server would
-- suffer. So the times before near_from and from near_until on get a few chunks of millennia, made in advance, because
-- the width of a chunk is chosen when it is made. As the years pass, the service moves near_until on.
--
-- TimescaleDB counts chunks from 1970 on by their width, and ends a new one where it meets another. So a near chunk at
-- each edge makes the wide one end there. Gaps of less than a year are left as they are.
create function lay_out_chunks(
  hypertable regclass, time_column name, near_width interval, near_from timestamptz, near_until timestamptz)
returns void language plpgsql as $$
declare
  last_time constant timestamptz := '10000-01-01 00:00:00+00';
  fences constant timestamptz[] :=
    array[near_from] || case when near_until < last_time then array[near_until - near_width] end;
  place timestamptz;
begin
  perform set_chunk_time_interval(hypertable, near_width);
  foreach place in array fences loop
    perform touch_chunk(hypertable, time_column, place);
  end loop;
  perform set_chunk_time_interval(hypertable, interval '1826250 days');
  for place in
    with chunk as (
      select range_start, range_end
      from timescaledb_information.chunks
      where format('%I.%I', hypertable_schema, hypertable_name)::regclass = hypertable
    ), gap as (
      select unnest(array[timestamptz '0001-01-01 00:00:00+00', '1970-01-01 00:00:00+00', near_until,
        '6970-02-07 00:00:00+00']) as from_time
      union
      select range_end from chunk
    )
    select from_time
    from gap
    where from_time < last_time and (from_time < near_from or from_time >= near_until)
      and not exists (select from chunk where range_start < from_time + interval '1 year' and range_end > from_time)
    order by from_time
  loop
    perform touch_chunk(hypertable, time_column, place);
  end loop;
  perform set_chunk_time_interval(hypertable, near_width);
end $$;

-- Makes the chunk of a time where there is none, by a row of stream 0, which there never is.
create function touch_chunk(hypertable regclass, time_column name, place timestamptz)
returns void language plpgsql as $$
begin
  execute format('insert into %s (stream_key, %I) values (0, %L)', hypertable, time_column, place);
  execute format('delete from %s where stream_key = 0 and %I = %L', hypertable, time_column, place);
end $$;

select lay_out_chunks('sample', 'time', interval '7 days', '2000-01-06 00:00:00+00',
  time_bucket('7 days', now() + interval '3 years', timestamptz '1970-01-01 00:00:00+00'));

-- The near chunks at the edges have done their work.
select drop_chunks('sample', newer_than => range_start, older_than => range_end)
from timescaledb_information.chunks
where hypertable_schema = current_schema() and hypertable_name = 'sample' and range_end - range_start <= interval '7 days';

-- A reader that reads samples by one snapshot holds this table (access share), and a job that drops chunks takes it
-- alone. To hold the hypertable itself means a lock on each of its chunks: 7 ms with 2,000 of them, and no locks left
-- with many such readers.
create table chunk_hold ();
