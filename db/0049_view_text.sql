-- The view of samples of 0035 as before, but for its texts. Postgres takes comparisons of texts for leakproof, and asked them of
-- the samples of all organizations, before it looked whose these are: a role that switched nested loops off saw in EXPLAIN
-- ANALYZE how many samples of others had a text, and so could find it letter by letter. A text that hangs on the type of its
-- stream, as the other values did before, is compared behind the join.
create or replace view bi.sample with (security_barrier) as
select stream.component_id, stream.id as stream_id, sample.time, sample.time as start_time,
  case stream.value_type when 'LONG' then sample.long::double precision else sample.num end as value,
  case stream.value_type when 'LONG' then sample.long end as long,
  case when stream.value_type in ('STRING', 'FILE') then sample.text end as text,
  stream.component_name, stream.folder, stream.unit, stream.value_type, sample.time as indexed_time
from bi.streams() as stream
join sample on sample.stream_key = stream.key
where stream.kind = 'random'
union all
select stream.component_id, stream.id, sample.time + interval '1 millisecond',
  sample.time + interval '1 millisecond' - sample.span * interval '1 second',
  case stream.value_type when 'LONG' then sample.long::double precision else sample.num end,
  case stream.value_type when 'LONG' then sample.long end,
  case when stream.value_type in ('STRING', 'FILE') then sample.text end,
  stream.component_name, stream.folder, stream.unit, stream.value_type, sample.time
from bi.streams() as stream
join sample on sample.stream_key = stream.key
where stream.kind = 'interval'
union all
select stream.component_id, stream.id, sample.time, sample.time,
  case stream.value_type when 'LONG' then sample.long::double precision else sample.num end,
  case stream.value_type when 'LONG' then sample.long end,
  case when stream.value_type in ('STRING', 'FILE') then sample.text end,
  stream.component_name, stream.folder, stream.unit, stream.value_type, sample.time
from bi.streams() as stream
join point_sample as sample on sample.stream_key = stream.key
where stream.kind = 'point';
