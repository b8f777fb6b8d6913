-- The bytes of detail that each tenant has put into the log of changes on a day (UTC), by the connection of the database that wrote them: each
-- has a row of its own, so that no change waits for another. A tenant's share of a day is held against their sum.
create table audit_day (
  tenant_uid text not null,
  day date not null,
  backend integer not null,
  bytes bigint not null,
  primary key (tenant_uid, day, backend)
) with (fillfactor = 50);
