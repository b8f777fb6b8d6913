-- GS SQL: the functions that scripts call stand in the schema gs, here the ground they stand on.
--
-- A function that can fail takes as its last argument the site, a number that the compiler gave the place in the
-- script; the error carries it back (SQLSTATE GS001, detail = site), so that it is reported with line and column. The
-- site -1 is the statement's own. All are immutable as far as they can be, so that the planner may move them; scripts
-- are planned without their values (plan_cache_mode = force_generic_plan), so none is called before the row that needs
-- it is there.
--
-- Functions that use an argument more than once are plpgsql: such SQL functions are not inlined when the argument is
-- costly, and one that is not inlined costs ten times as much: a call takes 10 µs.

create schema gs;

-- Scripts run under this role, which can read only the things that 0028_gsql_stream grants to it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'coppice_gsql') then
    begin
      create role coppice_gsql nologin;
    exception when duplicate_object or unique_violation then
      -- A migration of another database of this server was faster.
    end;
  end if;
  begin
    -- From PostgreSQL 16 on, the maker of a role may give it away but not yet take it.
    set local role coppice_gsql;
    reset role;
  exception when insufficient_privilege then
    grant coppice_gsql to current_user;
  end;
exception when insufficient_privilege then
  raise exception 'the database user % may not create the role coppice_gsql: give it CREATEROLE, or run as an administrator: create role coppice_gsql nologin; grant coppice_gsql to %',
    current_user, current_user;
end $$;

create function gs.fail(message text, site integer) returns void language plpgsql immutable parallel safe as $$
begin
  raise exception using errcode = 'GS001', message = message, detail = site::text;
end $$;

-- Quotes a text in a message, cut to 80 characters.
create function gs.quoted(value text) returns text language sql immutable strict parallel safe as $$
  select '''' || case when length(value) > 80 then left(value, 79) || '…' else value end || ''''
$$;

-- The most bytes that a text made by a script may have.
create function gs.max_text() returns bigint language sql immutable parallel safe as 'select 16777216::bigint';

create function gs.text_too_long(site integer) returns void language plpgsql immutable parallel safe as $$
begin
  perform gs.fail('a text would be longer than ' || gs.max_text() || ' bytes', site);
end $$;

-- Takes the size only to depend on the row: a call that depends on none is worked out before there is one.
create function gs.too_large(size numeric, site integer) returns boolean language plpgsql immutable parallel safe as $$
begin
  perform gs.fail('the result is larger than allowed', site);
end $$;

-- Takes the size for the same reason.
create function gs.list_too_large(size numeric, site integer) returns boolean language plpgsql immutable parallel safe as $$
begin
  perform gs.fail('IN (SELECT ...) gives more than 67108864 bytes', site);
end $$;
