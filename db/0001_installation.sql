-- The installation itself. All tables of the service stand in the schema that is current when the migrations run.
--
-- In every table, key is ours and never leaves the server; uid is the handle on the wire; id, where there is one, is
-- given by the user and may be blank. A version counts the changes of a row, for callers that change it only as they
-- saw it.

create extension if not exists timescaledb;

create table installation (
  is_only boolean primary key default true check (is_only),
  -- A hash made with the master key: a server with another key is refused.
  key_check bytea not null
);
