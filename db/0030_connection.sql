-- What some connections need besides host, user and password: certificates, timeouts, settings of a kind. Of it, keys
-- and wallets are secrets and encrypted like the password.
alter table connection
  add column settings jsonb not null default '{}',
  add column secrets_encrypted bytea;

-- A connection in use is not deleted.
create index connector_connection on connector (connection_key) where connection_key is not null;
