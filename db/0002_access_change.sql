-- Changes after which a server must not go by its memory: servers remember credentials and connectors, and ask for the
-- changes that are new to them twice a second while they are in use. A tag names the thing that changed: 'api_key 3',
-- 'user 7', 'organization 1', 'grant 9', 'session \x..', 'connector 5'.
--
-- Triggers write the changes, so that no way of removing a credential, cascades included, can forget to. Readers
-- compare xact with the horizon of their last snapshot: a serial could become visible after a later one was read.
create table access_change (
  serial bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  tag text not null,
  at timestamptz not null default now()
);

create index access_change_xact on access_change (xact);

-- The arguments of a trigger are the kind of thing that changes and the column that holds its key.
create function note_access_change() returns trigger
language plpgsql as $$
declare
  changed jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  insert into access_change (tag) values (tg_argv[0] || ' ' || (changed ->> tg_argv[1]));
  return null;
end $$;
