-- Removals by tenant: tenants take turns, and those who have queued hundreds of thousands of streams keep nobody else waiting. Before,
-- the queue was taken in the order of since, and all of it was read for that.
--
-- Those that are queued already, or by a server of the version before, share one turn. They are not looked up: their streams are gone.
alter table removal add column tenant_uid text not null default 'unknown';

create index removal_of_tenant on removal (tenant_uid, since, stream_key);

drop index removal_uncounted;
create index removal_uncounted on removal (tenant_uid, since, stream_key) where samples is null and progress_key is not null;

-- A deleted organization, too, has its turn with its tenant.
drop index organization_removed;
create index organization_removed on organization (coalesce(tenant_uid, uid), key) where is_removed;
