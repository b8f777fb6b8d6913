-- Callers share by tenant, and a tenant is more than one organization: everybody may make
-- organizations, and have people there who make some. All that comes from one organization belongs to its tenant, however
-- many steps it is away. Null: of an organization, that it is its own tenant; of a user, that organizations they make are,
-- as those of the operator's people, who make them for others.
alter table organization add column tenant_uid text;
alter table user_account add column tenant_uid text;
