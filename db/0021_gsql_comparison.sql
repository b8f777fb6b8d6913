-- GS SQL: comparison and order.

-- Gives -1, 0 or 1. Beside a number, a text that is a number counts as one; beside a boolean, the words true and false
-- count as booleans. Any other text comes after both, as in SQLite. gs.probes_of and gs.keys_of say the same once more.
create function gs.compare(a jsonb, b jsonb) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  kind_a text := jsonb_typeof(a);
  kind_b text := jsonb_typeof(b);
  x numeric;
  y numeric;
begin
  if kind_a = 'number' and kind_b = 'number' then return case when a < b then -1 when a > b then 1 else 0 end; end if;
  if kind_a = 'string' then
    if kind_b = 'string' then
      return case when a = b then 0 when (a #>> '{}') collate "C" < (b #>> '{}') then -1 else 1 end;
    end if;
    if kind_b = 'boolean' then x := gs.truth_of(a #>> '{}'); end if;
    x := coalesce(x, gs.numeric_of(a #>> '{}'));
    if x is null then return 1; end if;
    y := gs.numeric_in(b);
  elsif kind_b = 'string' then
    if kind_a = 'boolean' then y := gs.truth_of(b #>> '{}'); end if;
    y := coalesce(y, gs.numeric_of(b #>> '{}'));
    if y is null then return -1; end if;
    x := gs.numeric_in(a);
  else
    x := gs.numeric_in(a);
    y := gs.numeric_in(b);
  end if;
  return case when x < y then -1 when x > y then 1 else 0 end;
end $$;

-- Compares a LONG with a DOUBLE exactly. Doubles from 2^53 on are whole.
create function gs.compare(a bigint, b double precision) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if a::double precision < b then return -1; end if;
  if a::double precision > b then return 1; end if;
  if abs(b) < 9007199254740992 then return 0; end if;
  if b >= 9223372036854775808 then return -1; end if;
  return case when a < b::bigint then -1 when a > b::bigint then 1 else 0 end;
end $$;

create function gs.compare(a double precision, b bigint) returns bigint language plpgsql immutable strict parallel safe as
  'begin return -gs.compare(b, a); end';

create function gs.equal(a jsonb, b jsonb) returns boolean language plpgsql immutable strict parallel safe as
  'begin return gs.compare(a, b) = 0; end';
create operator gs.=== (leftarg = jsonb, rightarg = jsonb, function = gs.equal);

-- For IN (SELECT ...), which looks texts up: two values are equal when a probe of the one is a key of the other.
-- N: a number, beside a number or boolean. M: a number, beside a text. B: a word, beside a boolean. C: a boolean,
-- beside a word. T: a text, beside a text.
create function gs.probes_of(value jsonb) returns text[] language plpgsql immutable parallel safe as $$
declare
  kind text := jsonb_typeof(value);
  text text := value #>> '{}';
begin
  if value is null then return array[null::text]; end if;
  if kind = 'number' then return array['N' || trim_scale(value::numeric)]; end if;
  if kind = 'boolean' then return array['N' || gs.numeric_in(value), 'B' || gs.numeric_in(value)]; end if;
  return array_remove(array['T' || text, 'M' || trim_scale(gs.numeric_of(text)), 'C' || gs.truth_of(text)], null);
end $$;

create function gs.keys_of(value jsonb) returns text[] language plpgsql immutable parallel safe as $$
declare
  kind text := jsonb_typeof(value);
  number text := trim_scale(gs.numeric_in(value));
  text text := value #>> '{}';
begin
  if value is null then return array[null::text]; end if;
  if kind = 'number' then return array['N' || number, 'M' || number]; end if;
  if kind = 'boolean' then return array['N' || number, 'M' || number, 'C' || number]; end if;
  return array_remove(array['T' || text, 'N' || trim_scale(gs.numeric_of(text)), 'B' || gs.truth_of(text)], null);
end $$;

create function gs.greater(a bigint, b bigint) returns bigint language plpgsql immutable strict parallel safe as 'begin return greatest(a, b); end';
create function gs.greater(a double precision, b double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return greatest(a, b); end';
create function gs.greater(a boolean, b boolean) returns boolean language plpgsql immutable strict parallel safe as 'begin return a or b; end';
create function gs.greater(a text, b text) returns text language plpgsql immutable strict parallel safe as 'begin return case when a collate "C" < b then b else a end; end';
create function gs.greater(a jsonb, b jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when gs.compare(a, b) < 0 then b else a end; end';

create function gs.lesser(a bigint, b bigint) returns bigint language plpgsql immutable strict parallel safe as 'begin return least(a, b); end';
create function gs.lesser(a double precision, b double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return least(a, b); end';
create function gs.lesser(a boolean, b boolean) returns boolean language plpgsql immutable strict parallel safe as 'begin return a and b; end';
create function gs.lesser(a text, b text) returns text language plpgsql immutable strict parallel safe as 'begin return case when b collate "C" < a then b else a end; end';
create function gs.lesser(a jsonb, b jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when gs.compare(a, b) > 0 then b else a end; end';

-- In an order, numbers come before texts, whatever the texts are, as in SQLite.
create function gs.rank_of(value jsonb) returns integer language plpgsql immutable strict parallel safe as $$
begin
  return case when jsonb_typeof(value) = 'string' then 1 else 0 end;
end $$;

create type gs.ordered as (rank integer, number numeric, text text collate "C");

create function gs.order_of(value jsonb) returns gs.ordered language plpgsql immutable strict parallel safe as $$
begin
  if jsonb_typeof(value) = 'string' then return row(1, null, value #>> '{}')::gs.ordered; end if;
  return row(0, gs.numeric_in(value), null)::gs.ordered;
end $$;
