-- GS SQL: aggregates that Postgres has not.

create function gs.keep_first(state anyelement, value anyelement) returns anyelement language sql immutable strict parallel safe as 'select $1';
create function gs.keep_last(state anyelement, value anyelement) returns anyelement language sql immutable strict parallel safe as 'select $2';
create aggregate gs.first(anyelement) (sfunc = gs.keep_first, stype = anyelement);
create aggregate gs.last(anyelement) (sfunc = gs.keep_last, stype = anyelement);

create function gs.keep_greater(state jsonb, value jsonb) returns jsonb language plpgsql immutable strict parallel safe as $$
begin
  if jsonb_typeof(state) = 'number' and jsonb_typeof(value) = 'number' then return greatest(state, value); end if;
  return case when gs.order_of(value) > gs.order_of(state) then value else state end;
end $$;
create function gs.keep_lesser(state jsonb, value jsonb) returns jsonb language plpgsql immutable strict parallel safe as $$
begin
  if jsonb_typeof(state) = 'number' and jsonb_typeof(value) = 'number' then return least(state, value); end if;
  return case when gs.order_of(value) < gs.order_of(state) then value else state end;
end $$;
create aggregate gs.max_any(jsonb) (sfunc = gs.keep_greater, stype = jsonb);
create aggregate gs.min_any(jsonb) (sfunc = gs.keep_lesser, stype = jsonb);

-- Of samples, Postgres' own aggregates find the greatest and least of each type; a truth counts among the LONGs too,
-- and comes first, so that it stays a BOOLEAN where it is the extreme.
create function gs.max_of(long bigint, double double precision, truth boolean, text text) returns jsonb language plpgsql immutable parallel safe as $$
begin
  if text is not null then return to_jsonb(text); end if;
  return gs.max_any(one) from unnest(array[to_jsonb(truth), to_jsonb(long), gs.any_of(double)]) one;
end $$;
create function gs.min_of(long bigint, double double precision, truth boolean, text text) returns jsonb language plpgsql immutable parallel safe as $$
begin
  if long is null and double is null and truth is null then return to_jsonb(text); end if;
  return gs.min_any(one) from unnest(array[to_jsonb(truth), to_jsonb(long), gs.any_of(double)]) one;
end $$;

-- A sum of LONGs is a LONG, and only the result has to fit; one DOUBLE makes it a DOUBLE.
create function gs.sum_of(longs numeric, doubles double precision, site integer) returns jsonb language plpgsql immutable parallel safe as $$
begin
  if doubles is null then return to_jsonb(gs.long(longs, site)); end if;
  return gs.any_of(gs.add(doubles, coalesce(longs, 0)::double precision, site));
end $$;

-- Adds numbers of gs.number. The state is a LONG of any length while it has no decimals, else a DOUBLE.
create function gs.add_number(state numeric, value jsonb, site bigint) returns numeric language plpgsql immutable parallel safe as $$
declare
  number numeric := value::numeric;
begin
  if number is null then return state; end if;
  if state is null then return number; end if;
  if scale(state) = 0 and scale(number) = 0 then return state + number; end if;
  return gs.any_of(gs.add(state::double precision, number::double precision, site::integer))::numeric;
end $$;
create aggregate gs.sum_any(jsonb, bigint) (sfunc = gs.add_number, stype = numeric);

create function gs.sum_of(sum numeric, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
begin
  return case when scale(sum) > 0 then to_jsonb(sum) else to_jsonb(gs.long(sum, site)) end;
end $$;

-- Beside a string_agg over the same rows: fails before that outgrows the limit.
create function gs.add_size(state bigint, size bigint, site bigint) returns bigint language plpgsql immutable parallel safe as $$
begin
  if state + coalesce(size, 0) > gs.max_text() then perform gs.text_too_long(site::integer); end if;
  return state + coalesce(size, 0);
end $$;
create aggregate gs.size_guard(bigint, bigint) (sfunc = gs.add_size, stype = bigint, initcond = '0');

-- Looks at the size, or the planner would leave the guard out.
create function gs.guarded(size bigint, value text) returns text language sql immutable parallel safe as 'select case when $1 >= 0 then $2 end';
