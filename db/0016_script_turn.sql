-- Scripts that read streams and write samples. Such a script reads by one snapshot and writes later; its write finds
-- out whether the things it saw still hold, and if not the script runs again.

-- The last change of a stream by such a script, or by a deletion of samples: a script that read the stream before it
-- must run again. One row per stream.
create table stream_change (
  stream_key integer primary key references stream on delete cascade,
  organization_key integer not null references organization on delete cascade,
  changed_by xid8 not null default pg_current_xact_id()
);

create index stream_change_organization on stream_change (organization_key);

-- Whether a transaction with this snapshot saw the row that has this xmin, or this transaction wrote it itself. A
-- transaction's number has 64 bits and a row's the lower 32 of them; the row's is the one that is next to the
-- snapshot's. One expression, so that Postgres writes it into the statement: as a function of its own it doubled an
-- UPDATE's time.
create function is_seen(row_xmin xid, seen pg_snapshot) returns boolean
language sql stable as $$
  select row_xmin = pg_current_xact_id()::xid or pg_visible_in_snapshot(
    (pg_snapshot_xmax(seen)::text::bigint - 2147483648
      + ((row_xmin::text::bigint - pg_snapshot_xmax(seen)::text::bigint + 2147483648) & 4294967295))::text::xid8,
    seen)
$$;

-- Of an organization's scripts that read and write, one at a time stores its samples, in whatever process. Fails with
-- SQLSTATE 55P03 when its turn does not come in time. Later locks of the transaction are waited for as long as before.
create function lock_script_turn(organization integer, patience_ms integer) returns void
language plpgsql as $$
declare
  usual text := current_setting('lock_timeout');
begin
  perform set_config('lock_timeout', patience_ms || 'ms', true);
  perform pg_advisory_xact_lock(hashtext('coppice script turn'), organization);
  perform set_config('lock_timeout', usual, true);
end $$;
