-- An organization has a time zone of its own: that of its owner served all organizations of that owner, and whoever changed
-- it for one changed it for all. Each keeps what it has shown so far.

alter table organization add column time_zone text not null default 'UTC';

update organization
set time_zone = owner.time_zone
from (
  select distinct on (member.organization_key) member.organization_key, user_account.time_zone
  from member
  join user_account on user_account.key = member.user_key
  where member.role = 'owner'
  order by member.organization_key, member.since, member.user_key) as owner
where owner.organization_key = organization.key;

-- Scripts that read streams and write samples (core/seen.ts). What such a script wrote, and what anybody deleted, is
-- noted here by stream: a script that had read the stream before must run again. One row per stream, the last change.

create table stream_change (
  stream_key integer primary key references stream on delete cascade,
  organization_key integer not null references organization on delete cascade,
  changed_by xid8 not null default pg_current_xact_id()
);

create index stream_change_organization on stream_change (organization_key);

-- Whether a transaction with this snapshot saw the row that has this xmin, or this transaction wrote it itself. A
-- transaction's number has 64 bits and a row's the lower 32 of them; the row's is the one that is next to the snapshot's.
-- One expression, so that Postgres writes it into the statement: as a function of its own it doubled an UPDATE's time.
create function is_seen(row_xmin xid, seen pg_snapshot) returns boolean
language sql stable as $$
  select row_xmin = pg_current_xact_id()::xid or pg_visible_in_snapshot(
    (pg_snapshot_xmax(seen)::text::bigint - 2147483648
      + ((row_xmin::text::bigint - pg_snapshot_xmax(seen)::text::bigint + 2147483648) & 4294967295))::text::xid8,
    seen)
$$;

-- Of an organization's scripts that read and write, one at a time stores what it writes, in whatever process. Fails with
-- SQLSTATE 55P03 when its turn does not come in time.
create function lock_script_turn(organization integer, patience_ms integer) returns void
language plpgsql as $$
begin
  perform set_config('lock_timeout', patience_ms || 'ms', true);
  perform pg_advisory_xact_lock(hashtext('coppice script turn'), organization);
  perform set_config('lock_timeout', '0', true);
end $$;
