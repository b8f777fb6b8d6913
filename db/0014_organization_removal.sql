-- A deleted organization is marked, and what is below it goes afterwards, a part at a time (core/removal.ts).
alter table organization add column is_removed boolean not null default false;

create index organization_removed on organization (key) where is_removed;
