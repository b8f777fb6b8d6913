-- Rows that refer to a user or an organization are found by an index when that is deleted. Without it each deleted user read the
-- connectors of all organizations: one with 20,000 users could not be deleted within a minute where there were 20,000 connectors.
create index connector_user on connector (user_key) where user_key is not null;
create index reset_link_maker on reset_link (maker_key) where maker_key is not null;
create index reset_link_organization on reset_link (organization_key) where organization_key is not null;
