-- Links by which a user who has forgotten the password sets a new one. Only a hash of the token is stored; a user has one
-- at a time, and it goes with its use.
create table reset_link (
  token_hash bytea primary key,
  user_key integer not null unique references user_account on delete cascade,
  -- The admin who made it, and in which organization: it holds as long as that admin might set the password. Null: it
  -- was made on the host.
  maker_key integer references user_account on delete cascade,
  organization_key integer references organization on delete cascade,
  expires_at timestamptz not null,
  check ((maker_key is null) = (organization_key is null))
);

create index reset_link_expires on reset_link (expires_at);

-- When the last backup began, for whoever looks after the installation.
alter table installation add column backed_up_at timestamptz;
