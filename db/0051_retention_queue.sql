-- Streams with samples that are to be archived. A pass of retention_state only looks for them; tenants take turns at the queue, so that
-- one who has begun to remove the samples of years keeps nobody else's. Before, a pass stayed at each stream until all of it was archived.
create table retention_queue (
  stream_key integer primary key,
  tenant_uid text not null,
  -- Since it was found, or since its last turn.
  since timestamptz not null default clock_timestamp()
);

create index retention_of_tenant on retention_queue (tenant_uid, since, stream_key);
