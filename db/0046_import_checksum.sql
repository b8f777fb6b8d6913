-- The checksum (CRC-32) of an import's body up to the byte that it is stored to: a body that comes again is known by it.
-- It holds where checksum_bytes = bytes. Rows from before, and those that a server of the version before goes on with
-- during an upgrade, have none.
alter table history_import
  add column checksum bigint not null default 0,
  add column checksum_bytes bigint not null default 0;
