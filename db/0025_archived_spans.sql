-- What is archived of a stream are spans of time (core/retention.ts): from the first sample that was, up to a moment.
-- Before and after them its samples are live. Mostly there is one; where an organization came to keep its samples for
-- longer, and older ones were uploaded and archived later, there are several.
alter table kept add column since timestamptz;

update kept
set since = coalesce((select min(first_time) from archive where archive.stream_key = kept.stream_key), until);

alter table kept alter column since set not null;
alter table kept drop constraint kept_pkey;
alter table kept add primary key (stream_key, since);

-- The moment below which an organization's samples are archived is that of the days it keeps them now: one that came to
-- keep them for longer has none until it is set anew. What was archived before is told by the spans.
update organization
set kept_until = null
where retention_days is null or kept_until > now() - retention_days * interval '1 day';
