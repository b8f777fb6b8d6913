-- GS SQL: values whose type only their row tells (JSON_Value, lastValue, sample, columns of mixed types).
--
-- They are jsonb. A LONG is a number without decimals, a DOUBLE has at least one: 7 and 7.0. Postgres compares and
-- groups the two as equal. Doubles below 2^63 are written out exactly, so that numbers compare as numeric.
create or replace function gs.any_of(value double precision) returns jsonb language plpgsql immutable strict parallel safe as $$
begin
  if value <> trunc(value) then return to_jsonb(value); end if;
  if abs(value) < 9223372036854775808 then return to_jsonb(round(value::bigint::numeric, 1)); end if;
  return to_jsonb(round(value::text::numeric, 1));
end $$;

create or replace function gs.any_sample(value_type text, num double precision, long bigint, text text) returns jsonb
language sql stable parallel safe as $$
  select case value_type when 'DOUBLE' then case when num <> trunc(num) then to_jsonb(num) else gs.any_of(num) end
    when 'BOOLEAN' then to_jsonb(num = 1) when 'LONG' then to_jsonb(long) else to_jsonb(text) end
$$;

-- JSON has one kind of number: a sender writes 22 and 22.5 for the same. So what JSON_Value reads is a DOUBLE, and
-- 215 / 10 is 21.5, except for whole numbers that a DOUBLE does not hold exactly, which are LONGs.
create or replace function gs.json_value_at(value text, keys text[], steps jsonb, site integer) returns jsonb language plpgsql immutable parallel safe as $$
declare
  found json := gs.json_first(value, keys, steps, site);
  number text;
begin
  if json_typeof(found) in ('string', 'boolean') then return found::jsonb; end if;
  if json_typeof(found) <> 'number' then return null; end if;
  number := found #>> '{}';
  if length(number) > 15 and number ~ '^-?\d+$' and gs.try_long(number) is not null
      and number::bigint not between -9007199254740992 and 9007199254740992 then
    return to_jsonb(number::bigint);
  end if;
  return gs.any_of(gs.try_double(number));
end $$;

create or replace function gs.text_of(value jsonb) returns text language plpgsql immutable strict parallel safe as $$
begin
  if jsonb_typeof(value) = 'number' and scale(value::numeric) > 0 then return gs.text_of(value::double precision); end if;
  return value #>> '{}';
end $$;

create or replace function gs.try_double(value jsonb) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value)
    when 'number' then value::double precision
    when 'string' then gs.try_double(value #>> '{}')
    when 'boolean' then case when value = 'true' then 1 else 0 end end;
end $$;

-- Comparison --------------------------------------------------------------------------------------------------------

-- The number that a text is, or null: a LONG exactly, anything else as the DOUBLE it becomes.
create function gs.numeric_of(value text) returns numeric language plpgsql immutable strict parallel safe as $$
begin
  if value !~ '\d' then return null; end if;
  if value ~ '^[ \t\r\n]*[+-]?\d{1,19}[ \t\r\n]*$' then
    if gs.try_long(value) is not null then return value::numeric; end if;
  end if;
  return gs.any_of(gs.try_double(value))::numeric;
end $$;

-- The number that a value is (true 1, false 0), or null.
create function gs.numeric_in(value jsonb) returns numeric language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value) when 'number' then value::numeric when 'boolean' then case when value = 'true' then 1 else 0 end end;
end $$;

-- 1 and 0 for true and false in any case, else null.
create function gs.truth_of(value text) returns numeric language plpgsql immutable strict parallel safe as $$
begin
  return case lower(btrim(value, E' \t\r\n')) when 'true' then 1 when 'false' then 0 end;
end $$;

-- -1, 0, 1. A text that is a number is one beside a number, true and false are words of a boolean; any other text
-- comes after both, as in SQLite. What is said here is said once more by gs.probes_of and gs.keys_of.
create or replace function gs.compare(a jsonb, b jsonb) returns bigint language plpgsql immutable strict parallel safe as $$
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

create or replace function gs.greater(a jsonb, b jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when gs.compare(a, b) < 0 then b else a end; end';
create or replace function gs.lesser(a jsonb, b jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when gs.compare(a, b) > 0 then b else a end; end';

-- A LONG beside a DOUBLE, exactly. Doubles from 2^53 on are whole.
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

-- Order: numbers before texts, whatever the texts are.
create type gs.ordered as (rank integer, number numeric, text text collate "C");

create function gs.order_of(value jsonb) returns gs.ordered language plpgsql immutable strict parallel safe as $$
begin
  if jsonb_typeof(value) = 'string' then return row(1, null, value #>> '{}')::gs.ordered; end if;
  return row(0, gs.numeric_in(value), null)::gs.ordered;
end $$;

-- Arithmetic --------------------------------------------------------------------------------------------------------

-- What a value is as a number: true and false are LONGs, a text is a DOUBLE.
create function gs.number(value jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(value);
begin
  if kind = 'number' then return value; end if;
  if kind = 'boolean' then return case when value = 'true' then '1'::jsonb else '0'::jsonb end; end if;
  return gs.any_of(gs.double(value #>> '{}', site));
end $$;

-- What is usual stands first in these, and calls as little as can be: a call costs more than a sum.

-- Numbers are added; what stands beside a text is joined to it.
create or replace function gs.add(a jsonb, b jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric;
  y numeric;
  result double precision;
begin
  if jsonb_typeof(a) = 'number' and jsonb_typeof(b) = 'number' then
    x := a::numeric;
    y := b::numeric;
  elsif jsonb_typeof(a) = 'string' or jsonb_typeof(b) = 'string' then
    return to_jsonb(gs.join_text(gs.text_of(a), gs.text_of(b), site));
  else
    x := gs.numeric_in(a);
    y := gs.numeric_in(b);
  end if;
  if scale(x) = 0 and scale(y) = 0 then
    if x + y between -9223372036854775808 and 9223372036854775807 then return to_jsonb(x + y); end if;
    perform gs.overflow(x::bigint, '+', y::bigint, site);
  end if;
  result := gs.add(x::double precision, y::double precision, site);
  return case when result <> trunc(result) then to_jsonb(result) else gs.any_of(result) end;
end $$;

-- a_site and b_site are where a and b stand, for what is no number.
create function gs.subtract(a jsonb, b jsonb, a_site bigint, b_site bigint, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := (case when jsonb_typeof(a) = 'number' then a else gs.number(a, a_site::integer) end)::numeric;
  y numeric := (case when jsonb_typeof(b) = 'number' then b else gs.number(b, b_site::integer) end)::numeric;
  result double precision;
begin
  if scale(x) = 0 and scale(y) = 0 then
    if x - y between -9223372036854775808 and 9223372036854775807 then return to_jsonb(x - y); end if;
    perform gs.overflow(x::bigint, '-', y::bigint, site);
  end if;
  result := gs.subtract(x::double precision, y::double precision, site);
  return case when result <> trunc(result) then to_jsonb(result) else gs.any_of(result) end;
end $$;

create function gs.multiply(a jsonb, b jsonb, a_site bigint, b_site bigint, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := (case when jsonb_typeof(a) = 'number' then a else gs.number(a, a_site::integer) end)::numeric;
  y numeric := (case when jsonb_typeof(b) = 'number' then b else gs.number(b, b_site::integer) end)::numeric;
  result double precision;
begin
  if scale(x) = 0 and scale(y) = 0 then
    if x * y between -9223372036854775808 and 9223372036854775807 then return to_jsonb(x * y); end if;
    perform gs.overflow(x::bigint, '*', y::bigint, site);
  end if;
  result := gs.multiply(x::double precision, y::double precision, site);
  return case when result <> trunc(result) then to_jsonb(result) else gs.any_of(result) end;
end $$;

create function gs.divide(a jsonb, b jsonb, a_site bigint, b_site bigint, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := (case when jsonb_typeof(a) = 'number' then a else gs.number(a, a_site::integer) end)::numeric;
  y numeric := (case when jsonb_typeof(b) = 'number' then b else gs.number(b, b_site::integer) end)::numeric;
  result double precision;
begin
  if y = 0 then return null; end if;
  if scale(x) = 0 and scale(y) = 0 then
    if div(x, y) between -9223372036854775808 and 9223372036854775807 then return to_jsonb(div(x, y)); end if;
    perform gs.overflow(x::bigint, '/', y::bigint, site);
  end if;
  result := gs.divide(x::double precision, y::double precision, site);
  return case when result <> trunc(result) then to_jsonb(result) else gs.any_of(result) end;
end $$;

create function gs.remainder(a jsonb, b jsonb, a_site bigint, b_site bigint, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := (case when jsonb_typeof(a) = 'number' then a else gs.number(a, a_site::integer) end)::numeric;
  y numeric := (case when jsonb_typeof(b) = 'number' then b else gs.number(b, b_site::integer) end)::numeric;
  result double precision;
begin
  if y = 0 then return null; end if;
  if scale(x) = 0 and scale(y) = 0 then
    if x % y between -9223372036854775808 and 9223372036854775807 then return to_jsonb(x % y); end if;
    perform gs.overflow(x::bigint, '%', y::bigint, site);
  end if;
  result := gs.remainder(x::double precision, y::double precision, site);
  return case when result <> trunc(result) then to_jsonb(result) else gs.any_of(result) end;
end $$;

-- The rest take what gs.number gives.
create function gs.negate(a jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := a::numeric;
begin
  if scale(x) = 0 then return to_jsonb(gs.negate(x::bigint, site)); end if;
  return gs.any_of(-x::double precision);
end $$;

create function gs.abs_of(a jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := a::numeric;
begin
  if scale(x) = 0 then return to_jsonb(gs.abs_of(x::bigint, site)); end if;
  return gs.any_of(abs(x::double precision));
end $$;

create function gs.round_of(a jsonb, places bigint) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := a::numeric;
begin
  if scale(x) = 0 then return to_jsonb(gs.round_of(x::bigint, places)); end if;
  return gs.any_of(gs.round_of(x::double precision, places));
end $$;

create function gs.mod_of(a jsonb, b jsonb) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := a::numeric;
  y numeric := b::numeric;
begin
  if scale(x) = 0 and scale(y) = 0 then return to_jsonb(gs.mod_of(x::bigint, y::bigint)); end if;
  return gs.any_of(gs.mod_of(x::double precision, y::double precision));
end $$;

create function gs.round_of(a jsonb) returns jsonb language sql immutable strict parallel safe as 'select gs.round_of($1, 0)';
create function gs.floor_of(a jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when scale(a::numeric) = 0 then a else gs.any_of(floor(a::double precision)) end; end';
create function gs.ceil_of(a jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when scale(a::numeric) = 0 then a else gs.any_of(ceil(a::double precision)) end; end';
create function gs.trunc_of(a jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when scale(a::numeric) = 0 then a else gs.any_of(trunc(a::double precision)) end; end';
create function gs.sign_of(a jsonb) returns bigint language sql immutable strict parallel safe as 'select sign($1::numeric)::bigint';

-- Aggregates --------------------------------------------------------------------------------------------------------

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

-- Of samples, the greatest and least of each type are found by Postgres' own aggregates; truth counts among the LONGs
-- too, and comes first, so that it stays what it is.
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

-- Over what gs.number gives. The state is a LONG of any length while it has no decimals, else a DOUBLE.
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
