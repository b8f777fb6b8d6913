-- Derived streams: what each is derived from, how far it is, and what is still to be done.

-- One row per derived stream of a component. Who derives a stream holds its row; so each is derived by one at a time,
-- whoever is at it: an upload, the background, a request.
create table derivation (
  stream_key integer primary key references stream on delete cascade,
  organization_key integer not null references organization on delete cascade,
  -- Its place in chains: one more than that of the deepest stream it is derived from. Those before come first.
  depth integer not null default 1,
  -- The stored time of its last sample.
  last_time timestamptz,
  -- Where sources were first written to since the expression was saved. Times of this and the next columns are as shown.
  touched_from timestamptz,
  -- From there on it may be other than its sources say.
  stale_from timestamptz,
  -- What is left to derive behind a sample that fails.
  pending_until timestamptz,
  error_at timestamptz,
  error_time timestamptz,
  error_message text,
  -- How many samples were derived, for those who watch.
  samples bigint not null default 0
);

create index derivation_organization on derivation (organization_key);
create index derivation_failing on derivation (organization_key, error_at) where error_at is not null;

create table derivation_source (
  source_key integer not null references stream on delete cascade,
  derived_key integer not null references derivation on delete cascade,
  primary key (source_key, derived_key)
);

create index derivation_source_derived on derivation_source (derived_key);

-- Times of sources that were written to. Writers only ever add rows, and so never wait for each other. Whoever derives
-- removes the rows in the transaction that does what they ask for. With derived_key the mark is for that stream alone;
-- without, for all that are derived from the source. Times are as stored.
create table derive_mark (
  source_key integer not null,
  derived_key integer,
  first_time timestamptz not null,
  last_time timestamptz not null,
  -- Since when it waits.
  at timestamptz not null default now()
);

create index derive_mark_source on derive_mark (source_key);

-- What users ask to be derived anew, from from_time to before to_time; done up to reached_time.
create table derive_request (
  key bigint generated always as identity primary key,
  uid text not null unique default gen_random_uuid()::text,
  stream_key integer not null references stream on delete cascade,
  from_time timestamptz not null,
  to_time timestamptz not null,
  reached_time timestamptz,
  asked_by text not null,
  asked_at timestamptz not null default now(),
  ended_at timestamptz,
  is_cancelled boolean not null default false,
  error text
);

create index derive_request_stream on derive_request (stream_key, key);
create index derive_request_open on derive_request (key) where ended_at is null;

-- Values that expressions give, as a stream of each type stores them. What a stream cannot take fails as a place in an
-- expression does, with the site -1.
create function gs.derived_number(value double precision) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  if value in ('NaN', 'Infinity', '-Infinity') then
    perform gs.fail('the value is not a finite number', -1);
  end if;
  return value + 0;
end $$;

create function gs.derived_long(value double precision) returns bigint
language plpgsql immutable strict parallel safe as $$
begin
  if value <> trunc(value) or abs(value) > 9007199254740991 or value = 'NaN' then
    perform gs.fail('the value ' || value || ' is not a whole number, and the stream is LONG', -1);
  end if;
  return value::bigint;
end $$;

create function gs.derived_boolean(value double precision) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  if value <> 0 and value <> 1 then
    perform gs.fail('the value ' || value || ' is neither TRUE, FALSE, 1 nor 0, and the stream is BOOLEAN', -1);
  end if;
  return value + 0;
end $$;

create function gs.derived_text(value text, most integer) returns text
language plpgsql immutable strict parallel safe as $$
begin
  if length(value) > most then
    perform gs.fail('the value is a text of more than ' || most || ' characters', -1);
  end if;
  return value;
end $$;
