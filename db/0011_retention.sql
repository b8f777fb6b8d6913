-- Retention goes through all streams in the order of their keys (core/retention.ts), again whenever the moment has
-- moved below which an organization's samples are archived. Null: it has come to the end.
create table retention_state (
  is_only boolean primary key default true check (is_only),
  next_stream integer default 0
);

insert into retention_state default values;

-- That moment moves every day, and is nothing that servers remember of credentials.
drop trigger organization_changes on organization;
create trigger organization_changes after delete or update of uid, name, is_public, plan on organization
  for each row execute function note_access_change('organization', 'key');
