-- Marks by organization: those of one are found by themselves, whatever others have left. Before, the organization of every
-- mark was looked up each time that the marks of one were wanted.
--
-- Streams are derived from streams of their own organization only, so it is that of the source. Null: nobody has looked it
-- up yet, or the source is gone. Marks that are here already are looked up afterwards, some at a time: there may be millions
-- of them, and uploads would wait.
alter table derive_mark add column organization_key integer;

create index derive_mark_organization on derive_mark (organization_key, at);

-- For a server of the version before, which does not know the column, and for those who leave a mark now and then. Writers of
-- many give it: a trigger for each row takes several times as long.
create function give_mark_organization() returns trigger language plpgsql as $$
begin
  select component.organization_key into new.organization_key
  from stream
  join component on component.key = stream.component_key
  where stream.key = new.source_key;
  return new;
end $$;

create trigger derive_mark_given before insert on derive_mark
for each row when (new.organization_key is null) execute function give_mark_organization();
