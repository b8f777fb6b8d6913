-- What a user grants to an OAuth client is of one organization and has a scope, and the user can name and end it.

alter table oauth_grant
  add column uid text not null unique default gen_random_uuid()::text,
  add column organization_key integer;

-- Until now a grant held in all organizations of its user, and scopes narrowed nothing. It stays in the user's only
-- organization, else in the client's own; where that is none of the user's, the user has to be asked again.
update oauth_grant
set scope = 'read write',
  organization_key = (
    select case when count(*) = 1 then min(member.organization_key)
      else min(member.organization_key) filter (where member.organization_key = oauth_client.organization_key) end
    from member, oauth_client
    where member.user_key = oauth_grant.user_key and oauth_client.key = oauth_grant.client_key);

delete from oauth_grant where organization_key is null;

-- A grant ends with its user's membership, and so with the organization.
alter table oauth_grant
  alter column organization_key set not null,
  alter column scope set not null,
  add check (scope in ('read', 'read write')),
  add foreign key (organization_key, user_key) references member on delete cascade;

create index oauth_grant_member on oauth_grant (user_key, organization_key);
drop index oauth_grant_user;

-- A token keeps the scope that it was given; the grant's is what the next one can have.
alter table oauth_token add column scope text not null default 'read write' check (scope in ('read', 'read write'));
alter table oauth_token alter column scope drop default;

-- A brand's domain belongs to one organization, also when two claim it in the same moment. It was the first one's.
update organization
set brand = brand - 'domain', version = version + 1
where exists (
  select from organization before
  where lower(before.brand ->> 'domain') = lower(organization.brand ->> 'domain') and before.key < organization.key);

create unique index organization_brand_domain on organization (lower(brand ->> 'domain'));

-- Functions that run with their owner's rights look for tables among the caller's temporary ones last, not first.
do $$
declare
  found record;
begin
  for found in
    select pg_proc.oid::regprocedure as name, substr(setting, length('search_path=') + 1) as path
    from pg_proc, unnest(proconfig) as setting
    where prosecdef and pronamespace = 'gs'::regnamespace and setting like 'search_path=%'
  loop
    execute format('alter function %s set search_path = %s, pg_temp', found.name, found.path);
  end loop;
end $$;
