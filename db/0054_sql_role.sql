-- A role of the database outlives its organization: its login stays until somebody drops it. Its row went with the organization, and servers
-- neither ended its long work any more nor dropped it.
alter table bi.role
  alter column organization_key drop not null,
  drop constraint role_organization_key_fkey,
  add constraint role_organization_key_fkey foreign key (organization_key) references organization on delete set null;
