-- GS SQL: the functions that scripts call, under the names of src/gsql/functions.ts.
--
-- A function that can fail takes as its last argument the site, a number that src/gsql/emit.ts gave the place in
-- the script; the error carries it back (SQLSTATE GS001, detail = site), so that it can be told with line and column.
-- All are immutable, so that the planner may move them; scripts are planned without their values
-- (plan_cache_mode = force_generic_plan), so none is called before the row that needs it is there.
--
-- Functions that use an argument more than once are plpgsql: such SQL functions are not inlined when the argument
-- is costly, and one that is not inlined costs ten times as much.

create schema gs;

create function gs.fail(message text, site integer) returns void language plpgsql immutable parallel safe as $$
begin
  raise exception using errcode = 'GS001', message = message, detail = site::text;
end $$;

-- Quotes a text in a message, cut to 80 characters.
create function gs.quoted(value text) returns text language sql immutable strict parallel safe as $$
  select '''' || case when length(value) > 80 then left(value, 79) || '…' else value end || ''''
$$;

-- What a text made by a script may have at most, in bytes.
create function gs.max_text() returns bigint language sql immutable parallel safe as 'select 16777216::bigint';

-- Takes the size only to hang on the row: what hangs on nothing is worked out before there is one.
create function gs.too_large(size numeric, site integer) returns boolean language plpgsql immutable parallel safe as $$
begin
  perform gs.fail('the result is larger than allowed', site);
end $$;

create function gs.text_too_long(site integer) returns void language plpgsql immutable parallel safe as $$
begin
  perform gs.fail('a text would be longer than ' || gs.max_text() || ' bytes', site);
end $$;

-- Types -------------------------------------------------------------------------------------------------------------

-- As in JavaScript, the shortest text that reads back as the same number.
create function gs.text_of(value double precision) returns text language plpgsql immutable strict parallel safe as $$
declare
  size double precision := abs(value);
begin
  if size >= 1e-4 and size < 1e15 then return value::text; end if;
  if size = 0 then return '0'; end if;
  if size >= 1e-6 and size < 1e21 then return trim_scale(value::text::numeric)::text; end if;
  return regexp_replace(value::text, 'e([+-])0', 'e\1');
end $$;

create function gs.text_of(value jsonb) returns text language plpgsql immutable strict parallel safe as $$
begin
  if jsonb_typeof(value) <> 'number' then return value #>> '{}'; end if;
  return case when abs((value #>> '{}')::numeric) < 1e21 then trim_scale((value #>> '{}')::numeric)::text
              else gs.text_of((value #>> '{}')::double precision) end;
end $$;

create function gs.any_of(value text) returns jsonb language sql stable parallel safe as 'select to_jsonb($1)';
create function gs.any_of(value bigint) returns jsonb language sql stable parallel safe as 'select to_jsonb($1)';
create function gs.any_of(value double precision) returns jsonb language sql stable parallel safe as 'select to_jsonb($1)';
create function gs.any_of(value boolean) returns jsonb language sql stable parallel safe as 'select to_jsonb($1)';

create function gs.try_double(value text) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  if value !~ '^[ \t\r\n]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t\r\n]*$' then return null; end if;
  if length(value) < 30 and value !~ '[eE]' then return value::double precision; end if;
  begin
    return value::double precision;
  exception when numeric_value_out_of_range then
    -- Too small is nothing, too large is no number.
    return case when value ~ '[eE]-|^[ \t\r\n]*[+-]?0*\.' then 0 end;
  end;
end $$;

create function gs.try_double(value jsonb) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value)
    when 'number' then gs.try_double(value #>> '{}')
    when 'string' then gs.try_double(value #>> '{}')
    when 'boolean' then case when value = 'true' then 1 else 0 end end;
end $$;

create function gs.try_double(value double precision) returns double precision language sql immutable parallel safe as 'select $1';

create function gs.try_long(value double precision) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  return case when value >= -9223372036854775808 and value < 9223372036854775808 then trunc(value)::bigint end;
end $$;

create function gs.try_long(value numeric) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  return case when trunc(value) between -9223372036854775808 and 9223372036854775807 then trunc(value)::bigint end;
end $$;

create function gs.try_long(value text) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if value ~ '^[ \t\r\n]*[+-]?\d{1,18}[ \t\r\n]*$' then return value::bigint; end if;
  if value !~ '^[ \t\r\n]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t\r\n]*$' or length(value) > 1000 then return null; end if;
  return case when value ~ '[eE]' then gs.try_long(gs.try_double(value)) else gs.try_long(value::numeric) end;
end $$;

create function gs.try_long(value jsonb) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value)
    when 'number' then gs.try_long((value #>> '{}')::numeric)
    when 'string' then gs.try_long(value #>> '{}')
    when 'boolean' then case when value = 'true' then 1 else 0 end end;
end $$;

create function gs.try_boolean(value text) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  return case lower(btrim(value, E' \t\r\n')) when 'true' then true when '1' then true when 'false' then false when '0' then false end;
end $$;

create function gs.try_boolean(value jsonb) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value)
    when 'boolean' then value = 'true'
    when 'number' then (value #>> '{}')::numeric <> 0
    when 'string' then gs.try_boolean(value #>> '{}') end;
end $$;

create function gs.long(value text, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  result bigint := gs.try_long(value);
begin
  if result is null then perform gs.fail(gs.quoted(value) || ' is not a LONG', site); end if;
  return result;
end $$;

create function gs.long(value double precision, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  result bigint := gs.try_long(value);
begin
  if result is null then perform gs.fail(gs.text_of(value) || ' does not fit in a LONG', site); end if;
  return result;
end $$;

create function gs.long(value numeric, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  result bigint := gs.try_long(value);
begin
  if result is null then perform gs.fail(value || ' does not fit in a LONG', site); end if;
  return result;
end $$;

create function gs.long(value jsonb, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  result bigint := gs.try_long(value);
begin
  if result is null then perform gs.fail(gs.quoted(value #>> '{}') || ' is not a LONG', site); end if;
  return result;
end $$;

create function gs.double(value text, site integer) returns double precision language plpgsql immutable strict parallel safe as $$
declare
  result double precision := gs.try_double(value);
begin
  if result is null then perform gs.fail(gs.quoted(value) || ' is not a DOUBLE', site); end if;
  return result;
end $$;

create function gs.double(value jsonb, site integer) returns double precision language plpgsql immutable strict parallel safe as $$
declare
  result double precision := gs.try_double(value);
begin
  if result is null then perform gs.fail(gs.quoted(value #>> '{}') || ' is not a DOUBLE', site); end if;
  return result;
end $$;

create function gs.boolean(value text, site integer) returns boolean language plpgsql immutable strict parallel safe as $$
declare
  result boolean := gs.try_boolean(value);
begin
  if result is null then perform gs.fail(gs.quoted(value) || ' is not a BOOLEAN', site); end if;
  return result;
end $$;

create function gs.boolean(value jsonb, site integer) returns boolean language plpgsql immutable strict parallel safe as $$
declare
  result boolean := gs.try_boolean(value);
begin
  if result is null then perform gs.fail(gs.quoted(value #>> '{}') || ' is not a BOOLEAN', site); end if;
  return result;
end $$;

-- Values of any type ------------------------------------------------------------------------------------------------

-- The number that a value is (true 1, false 0), or null; the text that it is, or null.
create function gs.number_in(value jsonb) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value)
    when 'number' then gs.try_double(value #>> '{}')
    when 'boolean' then case when value = 'true' then 1 else 0 end end;
end $$;

create function gs.text_in(value jsonb) returns text language plpgsql immutable strict parallel safe as $$
begin
  return case when jsonb_typeof(value) = 'string' then value #>> '{}' end;
end $$;

-- Numbers before texts, as in SQLite.
create function gs.rank_of(value jsonb) returns integer language plpgsql immutable strict parallel safe as $$
begin
  return case when jsonb_typeof(value) = 'string' then 1 else 0 end;
end $$;

create function gs.max_of(number double precision, text text) returns jsonb language sql stable parallel safe as $$
  select coalesce(to_jsonb($2), to_jsonb($1))
$$;

create function gs.min_of(number double precision, text text) returns jsonb language sql stable parallel safe as $$
  select coalesce(to_jsonb($1), to_jsonb($2))
$$;

-- -1, 0, 1; null when a text stands against a number and is none.
create function gs.compare(a jsonb, b jsonb) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  text_a text := gs.text_in(a);
  text_b text := gs.text_in(b);
  x double precision;
  y double precision;
begin
  if text_a is not null and text_b is not null then
    return case when text_a = text_b then 0 when text_a collate "C" < text_b then -1 else 1 end;
  end if;
  if jsonb_typeof(a) = 'number' and jsonb_typeof(b) = 'number' then
    return sign((a #>> '{}')::numeric - (b #>> '{}')::numeric)::bigint;
  end if;
  if jsonb_typeof(a) = 'boolean' and text_b is not null then
    return sign(gs.number_in(a) - case when gs.try_boolean(text_b) then 1 when not gs.try_boolean(text_b) then 0 end)::bigint;
  end if;
  if jsonb_typeof(b) = 'boolean' and text_a is not null then
    return sign(case when gs.try_boolean(text_a) then 1 when not gs.try_boolean(text_a) then 0 end - gs.number_in(b))::bigint;
  end if;
  x := gs.try_double(a);
  y := gs.try_double(b);
  return case when x < y then -1 when x > y then 1 when x = y then 0 end;
end $$;

create function gs.greater(a bigint, b bigint) returns bigint language plpgsql immutable strict parallel safe as 'begin return greatest(a, b); end';
create function gs.greater(a double precision, b double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return greatest(a, b); end';
create function gs.greater(a boolean, b boolean) returns boolean language plpgsql immutable strict parallel safe as 'begin return a or b; end';
create function gs.greater(a text, b text) returns text language plpgsql immutable strict parallel safe as 'begin return case when a collate "C" < b then b else a end; end';
create function gs.greater(a jsonb, b jsonb) returns jsonb language plpgsql immutable strict parallel safe as $$
begin
  return case when coalesce(gs.compare(a, b), gs.rank_of(a) - gs.rank_of(b)) < 0 then b else a end;
end $$;
create function gs.lesser(a bigint, b bigint) returns bigint language plpgsql immutable strict parallel safe as 'begin return least(a, b); end';
create function gs.lesser(a double precision, b double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return least(a, b); end';
create function gs.lesser(a boolean, b boolean) returns boolean language plpgsql immutable strict parallel safe as 'begin return a and b; end';
create function gs.lesser(a text, b text) returns text language plpgsql immutable strict parallel safe as 'begin return case when b collate "C" < a then b else a end; end';
create function gs.lesser(a jsonb, b jsonb) returns jsonb language plpgsql immutable strict parallel safe as $$
begin
  return case when coalesce(gs.compare(a, b), gs.rank_of(a) - gs.rank_of(b)) > 0 then b else a end;
end $$;

-- Arithmetic --------------------------------------------------------------------------------------------------------

create function gs.overflow(a bigint, sign text, b bigint, site integer) returns void language plpgsql immutable parallel safe as $$
begin
  perform gs.fail(a || ' ' || sign || ' ' || b || ' does not fit in a LONG', site);
end $$;

-- Below 2^62 no sum overflows, below 2^31 no product.
create function gs.add(a bigint, b bigint, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if abs(a / 2) < 2305843009213693952 and abs(b / 2) < 2305843009213693952 then return a + b; end if;
  if gs.try_long(a::numeric + b) is null then perform gs.overflow(a, '+', b, site); end if;
  return a + b;
end $$;

create function gs.subtract(a bigint, b bigint, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if abs(a / 2) < 2305843009213693952 and abs(b / 2) < 2305843009213693952 then return a - b; end if;
  if gs.try_long(a::numeric - b) is null then perform gs.overflow(a, '-', b, site); end if;
  return a - b;
end $$;

create function gs.multiply(a bigint, b bigint, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if abs(a / 2) < 1073741824 and abs(b / 2) < 1073741824 then return a * b; end if;
  if gs.try_long(a::numeric * b) is null then perform gs.overflow(a, '*', b, site); end if;
  return a * b;
end $$;

create function gs.divide(a bigint, b bigint, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if b = 0 then return null; end if;
  if b = -1 and a = -9223372036854775808 then perform gs.overflow(a, '/', b, site); end if;
  return a / b;
end $$;

create function gs.remainder(a bigint, b bigint, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  return case when b = 0 then null when b = -1 then 0 else a % b end;
end $$;

create function gs.negate(a bigint, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if a = -9223372036854775808 then perform gs.fail('-(' || a || ') does not fit in a LONG', site); end if;
  return -a;
end $$;

-- What the usual sizes cannot cause: the result is too large, or too small and so 0.
create function gs.rare(a double precision, sign text, b double precision, site integer) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  case sign
    when '+' then return a + b;
    when '-' then return a - b;
    when '*' then return a * b;
    else return a / b;
  end case;
exception when numeric_value_out_of_range then
  if sign = '*' and (abs(a) < 1 or abs(b) < 1) or sign = '/' and abs(a) < abs(b) then return 0; end if;
  perform gs.fail(gs.text_of(a) || ' ' || sign || ' ' || gs.text_of(b) || ' does not fit in a DOUBLE', site);
end $$;

create function gs.add(a double precision, b double precision, site integer) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  if abs(a) < 1e300 and abs(b) < 1e300 then return a + b; end if;
  return gs.rare(a, '+', b, site);
end $$;

create function gs.subtract(a double precision, b double precision, site integer) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  if abs(a) < 1e300 and abs(b) < 1e300 then return a - b; end if;
  return gs.rare(a, '-', b, site);
end $$;

create function gs.multiply(a double precision, b double precision, site integer) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  if abs(a) between 1e-150 and 1e150 and abs(b) between 1e-150 and 1e150 then return a * b; end if;
  return gs.rare(a, '*', b, site);
end $$;

create function gs.divide(a double precision, b double precision, site integer) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  if b = 0 then return null; end if;
  if abs(a) between 1e-150 and 1e150 and abs(b) between 1e-150 and 1e150 then return a / b; end if;
  return gs.rare(a, '/', b, site);
end $$;

-- As in SQLite, % is of whole numbers; Mod is not.
create function gs.remainder(a double precision, b double precision, site integer) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  return case when trunc(b) = 0 then null else mod(trunc(a)::numeric, trunc(b)::numeric)::double precision end;
end $$;

create function gs.negate(a double precision, site integer) returns double precision language sql immutable strict parallel safe as 'select -$1';

-- Two values of any type: texts are joined, numbers added.
create function gs.add(a jsonb, b jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
begin
  if jsonb_typeof(a) = 'string' or jsonb_typeof(b) = 'string' then
    return to_jsonb(gs.join_text(gs.text_of(a), gs.text_of(b), site));
  end if;
  return to_jsonb(gs.add(gs.number_in(a), gs.number_in(b), site));
end $$;

-- Numbers -----------------------------------------------------------------------------------------------------------

create function gs.abs_of(a bigint, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if a = -9223372036854775808 then perform gs.fail('Abs(' || a || ') does not fit in a LONG', site); end if;
  return abs(a);
end $$;
create function gs.abs_of(a double precision, site integer) returns double precision language sql immutable strict parallel safe as 'select abs($1)';

create function gs.round_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select $1';
create function gs.round_of(a bigint, places bigint) returns bigint language plpgsql immutable strict parallel safe as 'begin return a; end';
create function gs.round_of(a double precision, places bigint) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  -- From 2^53 on every double is whole. Halves go away from zero.
  if abs(a) >= 9007199254740992 or places > 20 then return a; end if;
  return round(a::text::numeric, greatest(places, 0)::integer)::double precision;
end $$;
create function gs.round_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select gs.round_of($1, 0)';
create function gs.floor_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select $1';
create function gs.floor_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select floor($1)';
create function gs.ceil_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select $1';
create function gs.ceil_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select ceil($1)';
create function gs.trunc_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select $1';
create function gs.trunc_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select trunc($1)';
create function gs.mod_of(a bigint, b bigint) returns bigint language plpgsql immutable strict parallel safe as 'begin return gs.remainder(a, b, 0); end';
create function gs.mod_of(a double precision, b double precision) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  return case when b = 0 then null else mod(a::text::numeric, b::text::numeric)::double precision end;
end $$;
create function gs.sign_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select sign($1::numeric)::bigint';
create function gs.sign_of(a double precision) returns bigint language sql immutable strict parallel safe as 'select sign($1)::bigint';

-- Outside of where they are defined these are null, as in SQLite.
create function gs.sqrt_of(a double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return case when a >= 0 then sqrt(a) end; end';
create function gs.ln_of(a double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return case when a > 0 then ln(a) end; end';
create function gs.log10_of(a double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return case when a > 0 then log(a) end; end';
create function gs.asin_of(a double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return case when abs(a) <= 1 then asin(a) end; end';
create function gs.acos_of(a double precision) returns double precision language plpgsql immutable strict parallel safe as 'begin return case when abs(a) <= 1 then acos(a) end; end';
create function gs.sin_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select sin($1)';
create function gs.cos_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select cos($1)';
create function gs.tan_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select tan($1)';
create function gs.atan_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select atan($1)';
create function gs.atan2_of(a double precision, b double precision) returns double precision language sql immutable strict parallel safe as 'select atan2($1, $2)';
create function gs.pi_of() returns double precision language sql immutable parallel safe as 'select pi()';

create function gs.exp_of(a double precision, site integer) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  if a > 709.78 then perform gs.fail('Exp(' || gs.text_of(a) || ') does not fit in a DOUBLE', site); end if;
  return case when a < -745 then 0 else exp(a) end;
exception when numeric_value_out_of_range then return 0;
end $$;

create function gs.power_of(a double precision, b double precision, site integer) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  return power(a, b);
exception
  when invalid_argument_for_power_function then return null;
  when numeric_value_out_of_range then
    if (abs(a) < 1) = (b > 0) then return 0; end if;
    perform gs.fail('Power(' || gs.text_of(a) || ', ' || gs.text_of(b) || ') does not fit in a DOUBLE', site);
end $$;

-- Text --------------------------------------------------------------------------------------------------------------

create function gs.size_of(a text, b text) returns bigint language sql immutable strict parallel safe as
  'select (octet_length($1) + octet_length($2))::bigint';

create function gs.join_text(a text, b text, site integer) returns text language plpgsql immutable strict parallel safe as $$
begin
  if gs.size_of(a, b) > gs.max_text() then perform gs.text_too_long(site); end if;
  return a || b;
end $$;

create function gs.concat_text(a text, b text, site integer) returns text language plpgsql immutable parallel safe as $$
begin
  return case when b is null then a else gs.join_text(a, b, site) end;
end $$;

-- A number of characters for functions that want an integer.
create function gs.characters(count bigint) returns integer language sql immutable strict parallel safe as
  'select greatest(least($1, 2147483647), 0)::integer';

create function gs.left_of(a text, count bigint) returns text language sql immutable strict parallel safe as 'select left($1, gs.characters($2))';
create function gs.right_of(a text, count bigint) returns text language sql immutable strict parallel safe as 'select right($1, gs.characters($2))';
create function gs.len(a text) returns bigint language sql immutable strict parallel safe as 'select length($1)::bigint';
create function gs.lower_of(a text) returns text language sql immutable strict parallel safe as 'select lower($1)';
create function gs.upper_of(a text) returns text language sql immutable strict parallel safe as 'select upper($1)';
create function gs.reverse_text(a text) returns text language sql immutable strict parallel safe as 'select reverse($1)';
create function gs.index_of(a text, part text) returns bigint language sql immutable strict parallel safe as 'select strpos($1, $2)::bigint';
create function gs.contains_text(a text, part text) returns boolean language sql immutable strict parallel safe as 'select strpos($1, $2) > 0';
create function gs.starts_with_text(a text, part text) returns boolean language sql immutable strict parallel safe as 'select starts_with($1, $2)';
create function gs.ends_with_text(a text, part text) returns boolean language plpgsql immutable strict parallel safe as 'begin return right(a, length(part)) = part; end';
create function gs.trim_both(a text) returns text language sql immutable strict parallel safe as 'select btrim($1)';
create function gs.trim_both(a text, characters text) returns text language sql immutable strict parallel safe as 'select btrim($1, $2)';
create function gs.trim_left(a text) returns text language sql immutable strict parallel safe as 'select ltrim($1)';
create function gs.trim_left(a text, characters text) returns text language sql immutable strict parallel safe as 'select ltrim($1, $2)';
create function gs.trim_right(a text) returns text language sql immutable strict parallel safe as 'select rtrim($1)';
create function gs.trim_right(a text, characters text) returns text language sql immutable strict parallel safe as 'select rtrim($1, $2)';

-- SQLite's: from the end when the start is negative; what lies before the first character takes part of the length;
-- a negative length takes the characters before the start.
create function gs.substr(a text, start bigint, count bigint) returns text language plpgsql immutable strict parallel safe as $$
declare
  size bigint := length(a);
  -- Beyond this every number is the same to a text.
  first bigint := greatest(least(start, 4000000000), -4000000000);
  amount bigint := greatest(least(count, 4000000000), -4000000000);
begin
  if first < 0 then
    first := size + first + 1;
    if first < 1 and amount > 0 then
      amount := amount + first - 1;
      first := 1;
    end if;
  elsif first = 0 and amount > 0 then
    first := 1;
    amount := amount - 1;
  end if;
  if amount < 0 then
    first := first + amount;
    amount := -amount;
    if first < 1 then
      amount := amount + first - 1;
      first := 1;
    end if;
  end if;
  if amount <= 0 or first > size then return ''; end if;
  return substr(a, first::integer, least(amount, size)::integer);
end $$;

create function gs.substr(a text, start bigint) returns text language plpgsql immutable strict parallel safe as $$
declare
  size bigint := length(a);
begin
  if start > size then return ''; end if;
  return substr(a, greatest((case when start < 0 then size + greatest(start, -size) + 1 else start end), 1)::integer);
end $$;

create function gs.pad_left(a text, count bigint, fill text, site integer) returns text language plpgsql immutable strict parallel safe as $$
begin
  -- A character has up to four bytes.
  if count * 4 > gs.max_text() and octet_length(a) + greatest(count - length(a), 0) * greatest(octet_length(fill), 1) > gs.max_text() then
    perform gs.text_too_long(site);
  end if;
  return lpad(a, gs.characters(count), fill);
exception when numeric_value_out_of_range then
  perform gs.text_too_long(site);
end $$;

create function gs.pad_right(a text, count bigint, fill text, site integer) returns text language plpgsql immutable strict parallel safe as $$
begin
  if count * 4 > gs.max_text() and octet_length(a) + greatest(count - length(a), 0) * greatest(octet_length(fill), 1) > gs.max_text() then
    perform gs.text_too_long(site);
  end if;
  return rpad(a, gs.characters(count), fill);
exception when numeric_value_out_of_range then
  perform gs.text_too_long(site);
end $$;

create function gs.pad_left(a text, count bigint, site integer) returns text language sql immutable strict parallel safe as $$
  select gs.pad_left($1, $2, ' ', $3)
$$;
create function gs.pad_right(a text, count bigint, site integer) returns text language sql immutable strict parallel safe as $$
  select gs.pad_right($1, $2, ' ', $3)
$$;

create function gs.replace_text(a text, part text, instead text, site integer) returns text language plpgsql immutable strict parallel safe as $$
declare
  growth bigint := octet_length(instead) - octet_length(part);
begin
  if part = '' then return a; end if;
  if growth > 0 and octet_length(a) + growth * (octet_length(a) / octet_length(part)) > gs.max_text()
    and octet_length(a) + growth * ((octet_length(a) - octet_length(replace(a, part, ''))) / octet_length(part)) > gs.max_text()
  then perform gs.text_too_long(site); end if;
  return replace(a, part, instead);
end $$;

-- The expression and the replacement come from src/gsql/regular-expression.ts.
create function gs.replace_matches(a text, expression text, instead text, flags text, site integer) returns text
language plpgsql immutable strict parallel safe as $$
declare
  most bigint := octet_length(a)::bigint * (1 + regexp_count(instead, '\\[0-9&]'));
begin
  if most + (octet_length(a) + 1)::bigint * octet_length(instead) > gs.max_text()
    and most + regexp_count(a, expression)::bigint * octet_length(instead) > gs.max_text() * 2
  then perform gs.text_too_long(site); end if;
  return regexp_replace(a, expression, instead, flags);
exception when invalid_regular_expression then
  perform gs.fail('the regular expression is too complex', site);
end $$;

create function gs.replace_all(a text, expression text, instead text, site integer) returns text language sql immutable strict parallel safe as $$
  select gs.replace_matches($1, $2, $3, 'g', $4)
$$;
create function gs.replace_first(a text, expression text, instead text, site integer) returns text language sql immutable strict parallel safe as $$
  select gs.replace_matches($1, $2, $3, '', $4)
$$;

-- LIKE ignores the case of ASCII letters and, unless told, knows no escape.
create function gs.fold(a text) returns text language sql immutable strict parallel safe as $$
  select translate($1, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
$$;

create function gs.like_text(a text, pattern text) returns boolean language sql immutable strict parallel safe as $$
  select gs.fold($1) like gs.fold($2) escape ''
$$;

create function gs.like_text(a text, pattern text, escape text, site integer) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  if length(escape) <> 1 then perform gs.fail('ESCAPE needs one character, not ' || gs.quoted(escape), site); end if;
  return gs.fold(a) like gs.fold(pattern) escape gs.fold(escape);
exception when invalid_escape_sequence then
  return false;
end $$;

create function gs.hex_to_long(a text, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  digits text := ltrim(substring(btrim(a) from '^(?:0[xX])?([0-9a-fA-F]+)$'), '0');
begin
  if digits is null then perform gs.fail(gs.quoted(a) || ' is not hexadecimal', site); end if;
  if length(digits) > 16 or (length(digits) = 16 and digits >= '8') then
    perform gs.fail(gs.quoted(a) || ' does not fit in a LONG', site);
  end if;
  return ('x' || lpad(digits, 16, '0'))::bit(64)::bigint;
end $$;

-- One-based; outside null, an empty field ''. A quoted field may hold the delimiter, and "" for a quote.
create function gs.parse_csv(a text, index bigint, delimiter text) returns text language plpgsql immutable strict parallel safe as $$
declare
  rest text := a;
  field text;
  quoted text;
  at integer;
begin
  if index < 1 or index > 1000000 then return null; end if;
  if a = '' then return case when index = 1 then '' end; end if;
  if strpos(a, '"') = 0 then return (string_to_array(a, delimiter))[index::integer]; end if;
  for number in 1 .. index loop
    quoted := substring(rest from '^"(?:[^"]|"")*"');
    rest := substr(rest, coalesce(length(quoted), 0) + 1);
    at := case when delimiter = '' then 0 else strpos(rest, delimiter) end;
    if number = index then
      field := case when at = 0 then rest else left(rest, at - 1) end;
      return coalesce(replace(substr(quoted, 2, length(quoted) - 2), '""', '"'), '') || field;
    end if;
    if at = 0 then return null; end if;
    rest := substr(rest, at + length(delimiter));
  end loop;
end $$;

create function gs.parse_csv(a text, index bigint) returns text language sql immutable strict parallel safe as $$
  select gs.parse_csv($1, $2, ',')
$$;

create function gs.url_decoded(a text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if strpos(a, '%') = 0 then return replace(a, '+', ' '); end if;
  return convert_from(
    (select string_agg(case when part[1] ~ '^%[0-9a-fA-F]{2}$' then decode(substr(part[1], 2), 'hex')
                            else convert_to(part[1], 'UTF8') end, ''::bytea order by number)
     from regexp_matches(replace(a, '+', ' '), '%[0-9a-fA-F]{2}|%|[^%]+', 'g') with ordinality found(part, number)), 'UTF8');
exception when character_not_in_repertoire or untranslatable_character then
  return a;
end $$;

create function gs.query_param(query text, name text) returns text language plpgsql immutable strict parallel safe as $$
declare
  pair text;
begin
  foreach pair in array string_to_array(ltrim(query, '?'), '&') loop
    if gs.url_decoded(split_part(pair, '=', 1)) = name then
      return gs.url_decoded(case when strpos(pair, '=') > 0 then substr(pair, strpos(pair, '=') + 1) else '' end);
    end if;
  end loop;
  return null;
end $$;

-- Time --------------------------------------------------------------------------------------------------------------
-- A zone is a name that Postgres knows, or an offset like +02:00 (which Postgres by itself would read the other way).

create function gs.zone(name text, site integer) returns text language plpgsql immutable strict parallel safe as $$
begin
  if name ~ '^[+-](0\d|1[0-8]):?[0-5]\d$' then return left(name, 3) || ':' || right(name, 2); end if;
  if upper(name) in ('Z', 'UTC', 'GMT') then return 'UTC'; end if;
  -- FOO5 would be a zone of its own making.
  if name ~ '^[A-Za-z][A-Za-z0-9_+/-]*$' and (name !~ '\d' or name ~ '/' or name ~ '^[A-Z]{3}\d[A-Z]{3}$') then
    perform timestamp '2000-01-01' at time zone name;
    return name;
  end if;
  perform gs.fail('unknown time zone ' || gs.quoted(name), site);
exception when invalid_parameter_value then
  perform gs.fail('unknown time zone ' || gs.quoted(name), site);
end $$;

create function gs.utc_of(millis bigint, site integer) returns timestamp language plpgsql immutable strict parallel safe as $$
begin
  if millis not between -62135596800000 and 253402300799999 then
    perform gs.fail('time ' || millis || ' is outside the years 1 to 9999', site);
  end if;
  -- Days and the rest of the day apart: an interval of all these milliseconds would be rounded.
  return timestamp 'epoch' + make_interval(days => (millis / 86400000)::integer) + (millis % 86400000) * interval '1 millisecond';
end $$;

create function gs.millis_of(utc timestamp) returns bigint language sql immutable strict parallel safe as $$
  select (extract(epoch from $1) * 1000)::bigint
$$;

create function gs.local_of(utc timestamp, zone text) returns timestamp language plpgsql immutable strict parallel safe as $$
begin
  if left(zone, 1) in ('+', '-') then return utc + zone::interval; end if;
  return timezone(zone, timezone('UTC', utc));
end $$;

-- Of a time that happens twice the first, where Postgres takes the second; one that does not happen moves forward.
create function gs.utc_at(local timestamp, zone text) returns timestamp language plpgsql immutable strict parallel safe as $$
declare
  moment timestamptz;
  before timestamp;
begin
  if zone = 'UTC' then return local; end if;
  if left(zone, 1) in ('+', '-') then return local - zone::interval; end if;
  moment := timezone(zone, local);
  -- Three hours earlier: no clock is put back by more. Where the rules were the same then, nothing happens twice.
  before := timezone(zone, moment - interval '3 hours');
  if before <> local - interval '3 hours' then
    before := local - (before - timezone('UTC', moment - interval '3 hours'));
    if before < timezone('UTC', moment) and timezone(zone, timezone('UTC', before)) = local then return before; end if;
  end if;
  return timezone('UTC', moment);
end $$;

create function gs.year_of(millis bigint, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as
  'begin return extract(year from gs.local_of(gs.utc_of(millis, site), zone))::bigint; end';
create function gs.month_of(millis bigint, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as
  'begin return extract(month from gs.local_of(gs.utc_of(millis, site), zone))::bigint; end';
create function gs.day_of(millis bigint, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as
  'begin return extract(day from gs.local_of(gs.utc_of(millis, site), zone))::bigint; end';
create function gs.dayofweek_of(millis bigint, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as
  'begin return extract(isodow from gs.local_of(gs.utc_of(millis, site), zone))::bigint; end';
create function gs.hour_of(millis bigint, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as
  'begin return extract(hour from gs.local_of(gs.utc_of(millis, site), zone))::bigint; end';
create function gs.minute_of(millis bigint, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as
  'begin return extract(minute from gs.local_of(gs.utc_of(millis, site), zone))::bigint; end';
create function gs.second_of(millis bigint, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as
  'begin return floor(extract(second from gs.local_of(gs.utc_of(millis, site), zone)))::bigint; end';

create function gs.date_trunc_of(unit text, millis bigint, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  utc timestamp := gs.utc_of(millis, site);
  local timestamp := gs.local_of(utc, zone);
begin
  -- Within an hour that happens twice, the second one must not become the first.
  if unit in ('second', 'minute', 'hour') then return gs.millis_of(utc - (local - date_trunc(unit, local))); end if;
  return gs.millis_of(gs.utc_at(date_trunc(unit, local), zone));
end $$;

create function gs.date_add_of(millis bigint, count bigint, unit text, zone text, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  utc timestamp := gs.utc_of(millis, site);
  step bigint := case unit when 'second' then 1000 when 'minute' then 60000 when 'hour' then 3600000 end;
  result bigint;
begin
  if count = 0 then return millis; end if;
  if abs(count / 2) < 500000000000 and step is not null then
    result := millis + count * step;
  elsif abs(count / 2) < 2000000 and step is null then
    result := gs.millis_of(gs.utc_at(gs.local_of(utc, zone) + case unit
      when 'day' then make_interval(days => count::integer)
      when 'week' then make_interval(weeks => count::integer)
      when 'month' then make_interval(months => count::integer)
      when 'quarter' then make_interval(months => count::integer * 3)
      else make_interval(months => count::integer * 12) end, zone));
  end if;
  if result is null or result not between -62135596800000 and 253402300799999 then
    perform gs.fail('the time is outside the years 1 to 9999', site);
  end if;
  return result;
exception when datetime_field_overflow or interval_field_overflow then
  perform gs.fail('the time is outside the years 1 to 9999', site);
end $$;

-- The short name, such as CEST, which Postgres tells for the zone of the session only.
create function gs.zone_short(utc timestamp, zone text) returns text language plpgsql stable strict parallel unsafe as $$
declare
  before text := current_setting('TimeZone');
  result text;
begin
  if left(zone, 1) in ('+', '-') then return zone; end if;
  perform set_config('TimeZone', zone, true);
  result := to_char(utc at time zone 'UTC', 'TZ');
  perform set_config('TimeZone', before, true);
  return result;
end $$;

-- Reads by src/gsql/date-pattern.ts. Most patterns have every field at a fixed place: starts then tells where year,
-- month, day, hour, minute, second and milliseconds begin (0: not there), and only the shape is left to the expression.
-- Otherwise fields has a letter for each group of it; finding groups takes Postgres ten times as long.
create function gs.to_epoch_millis(value text, expression text, fields text, starts integer[], zone text, site integer)
returns bigint language plpgsql immutable strict parallel safe as $$
declare
  result bigint;
  year integer;
  month integer;
  day integer;
begin
  if starts = '{}' then return gs.to_epoch_millis_by_groups(value, expression, fields, zone, site); end if;
  if value !~ expression then perform gs.fail(gs.quoted(value) || ' does not fit the date pattern', site); end if;
  year := substr(value, starts[1], 4);
  month := substr(value, starts[2], 2);
  day := substr(value, starts[3], 2);
  if year < 1 or month not between 1 and 12 or day < 1 or (day > 28 and day > gs.month_length(year, month)) then
    perform gs.fail(gs.quoted(value) || ' is not a date and time', site);
  end if;
  result := gs.millis_of(gs.utc_at(
    make_timestamp(year, month, day,
      (case when starts[4] > 0 then substr(value, starts[4], 2) else '0' end)::integer,
      (case when starts[5] > 0 then substr(value, starts[5], 2) else '0' end)::integer,
      (case when starts[6] > 0 then substr(value, starts[6], 2) else '0' end)::integer), zone));
  if starts[7] > 0 then result := result + substr(value, starts[7], 3)::integer; end if;
  return result;
end $$;

create function gs.month_length(year integer, month integer) returns integer language plpgsql immutable strict parallel safe as $$
begin
  return case when month in (4, 6, 9, 11) then 30 when month <> 2 then 31
    when year % 4 = 0 and (year % 100 <> 0 or year % 400 = 0) then 29 else 28 end;
end $$;

create function gs.to_epoch_millis_by_groups(value text, expression text, fields text, zone text, site integer) returns bigint
language plpgsql immutable strict parallel safe as $$
declare
  groups text[] := regexp_match(value, expression);
  part text;
  place text := zone;
  year integer;
  month integer;
  day integer;
  weekday integer;
  hour integer := 0;
  half text;
  short text;
  minute integer := 0;
  second integer := 0;
  milli integer := 0;
  local timestamp;
begin
  if groups is null then perform gs.fail(gs.quoted(value) || ' does not fit the date pattern', site); end if;
  for number in 1 .. length(fields) loop
    part := groups[number];
    continue when part is null;
    case substr(fields, number, 1)
      when 'Y' then year := part;
      when 'y' then year := 2000 + part::integer;
      when 'M' then month := part;
      when 'd' then day := part;
      when 'H' then hour := part;
      when 'h' then hour := part;
      when 'm' then minute := part;
      when 's' then second := part;
      when 'S' then milli := left(part || '00', 3);
      when 'a' then half := lower(part);
      when 'b' then month := coalesce(array_position('{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}', lower(part)), 0);
      when 'B' then month := coalesce(array_position(
        '{january,february,march,april,may,june,july,august,september,october,november,december}', lower(part)), 0);
      when 'e' then weekday := coalesce(array_position('{mon,tue,wed,thu,fri,sat,sun}', lower(part)), 0);
      when 'E' then weekday := coalesce(array_position(
        '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}', lower(part)), 0);
      when 'X' then place := case
        when part = 'Z' then 'UTC'
        when length(part) = 3 then part || ':00'
        else left(part, 3) || ':' || right(part, 2) end;
      else short := part;
    end case;
  end loop;
  if half is not null then
    if hour not between 1 and 12 then hour := 24; else hour := hour % 12 + (case half when 'pm' then 12 else 0 end); end if;
  end if;
  if year is null or year < 1 or month is null or month not between 1 and 12 or day is null or day < 1
    or day > gs.month_length(year, month) or hour > 23 or minute > 59 or second > 59
    or (left(place, 1) in ('+', '-') and place !~ '^[+-](0\d|1[0-8]):[0-5]\d$')
    or weekday <> extract(isodow from make_date(year, month, day))
  then perform gs.fail(gs.quoted(value) || ' is not a date and time', site); end if;
  local := make_timestamp(year, month, day, hour, minute, second);
  -- IST is the time of India, Israel or Ireland: the zone that is given knows what it means, if it has such a name then.
  if short is not null and short <> gs.zone_short(gs.utc_at(local, place), place) then place := gs.zone(short, site); end if;
  return gs.millis_of(gs.utc_at(local, place)) + milli;
end $$;

-- Each part is a run of pattern letters, or a text after a quote (src/gsql/date-pattern.ts).
create function gs.format_millis(millis bigint, parts text[], zone text, site integer) returns text
language plpgsql stable strict parallel unsafe as $$
declare
  utc timestamp := gs.utc_of(millis, site);
  local timestamp := gs.local_of(utc, zone);
  minutes integer := extract(epoch from local - utc) / 60;
  offset_text text := case when minutes < 0 then '-' else '+' end || lpad((abs(minutes) / 60)::text, 2, '0') || ':' || lpad((abs(minutes) % 60)::text, 2, '0');
  result text := '';
  part text;
begin
  foreach part in array parts loop
    result := result || case
      when starts_with(part, '''') then substr(part, 2)
      when part in ('yyyy', 'MM', 'dd', 'HH', 'mm', 'ss') then to_char(local, case part
        when 'yyyy' then 'YYYY' when 'MM' then 'MM' when 'dd' then 'DD' when 'HH' then 'HH24' when 'mm' then 'MI' else 'SS' end)
      when part = 'y' then extract(year from local)::text
      when part = 'yy' then to_char(local, 'YY')
      when part = 'M' then extract(month from local)::text
      when part = 'MMM' then to_char(local, 'Mon')
      when part = 'MMMM' then to_char(local, 'FMMonth')
      when part = 'd' then extract(day from local)::text
      when part in ('E', 'EE', 'EEE') then to_char(local, 'Dy')
      when part = 'EEEE' then to_char(local, 'FMDay')
      when part = 'H' then extract(hour from local)::text
      when part = 'h' then to_char(local, 'FMHH12')
      when part = 'hh' then to_char(local, 'HH12')
      when part = 'a' then to_char(local, 'AM')
      when part = 'm' then extract(minute from local)::text
      when part = 's' then floor(extract(second from local))::text
      when starts_with(part, 'S') then left(to_char(local, 'US') || '000', length(part))
      when part in ('XXX', 'XX', 'X', 'ZZZZZ') and minutes = 0 then 'Z'
      when part in ('XXX', 'xxx', 'ZZZZZ') then offset_text
      when part in ('X', 'x') and minutes % 60 = 0 then left(offset_text, 3)
      when part in ('XX', 'xx', 'X', 'x', 'Z', 'ZZ', 'ZZZ') then replace(offset_text, ':', '')
      when part = 'VV' then zone
      else gs.zone_short(utc, zone) end;
  end loop;
  return result;
end $$;

-- JSON --------------------------------------------------------------------------------------------------------------

create function gs.is_json(value text) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  perform value::jsonb;
  return true;
exception when others then
  return false;
end $$;

-- Blank is nothing. jsonb is tried because json takes texts that Postgres cannot hold.
create function gs.json_of(value text, site integer) returns json language plpgsql immutable strict parallel safe as $$
begin
  if value ~ '^[ \t\r\n]*$' then return null; end if;
  perform value::jsonb;
  return value::json;
exception when others then
  perform gs.fail('the text is not JSON', site);
end $$;

create function gs.json_children(value json) returns setof json language sql immutable parallel safe as $$
  select element from json_array_elements(case when json_typeof($1) = 'array' then $1 end) with ordinality as a(element, number)
  union all
  select member.value from json_each(case when json_typeof($1) = 'object' then $1 end) as member
$$;

-- The steps are those of src/gsql/json-walk.ts.
create function gs.json_walk(value json, steps jsonb) returns setof json language plpgsql immutable parallel safe as $$
declare
  here json[] := array[value];
  step jsonb;
begin
  for step in select element from jsonb_array_elements(steps) with ordinality as s(element, number) order by number loop
    case step ->> 'kind'
      when 'member' then
        here := array(select one #> array[step ->> 'name'] from unnest(here) one where one #> array[step ->> 'name'] is not null);
      when 'index' then
        here := array(select one #> array[step ->> 'index'] from unnest(here) one where one #> array[step ->> 'index'] is not null);
      when 'all' then
        here := array(select child from unnest(here) one, gs.json_children(one) child);
      when 'filter' then
        here := array(select child from unnest(here) one, gs.json_children(one) child
          where jsonb_path_match(child::jsonb, (step ->> 'predicate')::jsonpath, silent => true));
      when 'slice' then
        here := array(
          select child
          from unnest(here) one,
            lateral (select json_array_length(case when json_typeof(one) = 'array' then one else '[]' end) as size) s,
            lateral json_array_elements(case when json_typeof(one) = 'array' then one else '[]' end) with ordinality as e(child, number),
            lateral (select coalesce((step ->> 'from')::integer, 0) as a, coalesce((step ->> 'to')::integer, size) as b) edge,
            lateral (select case when a < 0 then greatest(size + a, 0) else a end as low, case when b < 0 then size + b else b end as high) range
          where number - 1 >= low and number - 1 < high and (number - 1 - low) % (step ->> 'step')::integer = 0);
      when 'union' then
        here := array(select one #> array[key] from unnest(here) one, jsonb_array_elements_text(step -> 'keys') key
          where one #> array[key] is not null);
      else
        here := array(
          with recursive below(name, value, path) as (
            select null::text, one, array[number] from unnest(here) with ordinality as h(one, number)
            union all
            select child.name, child.value, below.path || child.number
            from below, lateral (
              select null::text as name, element as value, number
              from json_array_elements(case when json_typeof(below.value) = 'array' then below.value end) with ordinality as a(element, number)
              union all
              select member.key, member.value, number
              from json_each(case when json_typeof(below.value) = 'object' then below.value end) with ordinality as member(key, value, number)
            ) child
          )
          select below.value from below
          where array_length(path, 1) > 1 and (step ->> 'name' is null or name = step ->> 'name')
          order by path);
    end case;
  end loop;
  return query select one from unnest(here) one;
end $$;

-- A path without iteration is its keys alone; any other comes as steps.
create function gs.json_first(value text, keys text[], steps jsonb, site integer) returns json language plpgsql immutable parallel safe as $$
declare
  document json := gs.json_of(value, site);
begin
  if keys is not null then return document #> keys; end if;
  return (select one from gs.json_walk(document, steps) one limit 1);
end $$;

create function gs.json_value_at(value text, keys text[], steps jsonb, site integer) returns jsonb language plpgsql immutable parallel safe as $$
declare
  found json := gs.json_first(value, keys, steps, site);
begin
  return case json_typeof(found)
    when 'string' then found::jsonb
    when 'boolean' then found::jsonb
    when 'number' then case when gs.try_double(found #>> '{}') is not null then found::jsonb end end;
end $$;

create function gs.json_query_at(value text, keys text[], steps jsonb, site integer) returns text language plpgsql immutable parallel safe as $$
declare
  found json := gs.json_first(value, keys, steps, site);
begin
  return case when json_typeof(found) in ('object', 'array') then found::text end;
end $$;

create function gs.json_exists_at(value text, keys text[], steps jsonb, site integer) returns boolean language plpgsql immutable parallel safe as $$
begin
  if value is null or (keys is null and steps is null) then return null; end if;
  return gs.json_first(value, keys, steps, site) is not null;
end $$;

-- Aggregates --------------------------------------------------------------------------------------------------------

create function gs.keep_first(state anyelement, value anyelement) returns anyelement language sql immutable strict parallel safe as 'select $1';
create function gs.keep_last(state anyelement, value anyelement) returns anyelement language sql immutable strict parallel safe as 'select $2';
create aggregate gs.first(anyelement) (sfunc = gs.keep_first, stype = anyelement);
create aggregate gs.last(anyelement) (sfunc = gs.keep_last, stype = anyelement);

-- Beside a string_agg over the same rows: fails before that outgrows the limit.
create function gs.add_size(state bigint, size bigint, site bigint) returns bigint language plpgsql immutable parallel safe as $$
begin
  if state + coalesce(size, 0) > gs.max_text() then perform gs.text_too_long(site::integer); end if;
  return state + coalesce(size, 0);
end $$;
create aggregate gs.size_guard(bigint, bigint) (sfunc = gs.add_size, stype = bigint, initcond = '0');
-- Looks at the size, or the planner would leave the guard out.
create function gs.guarded(size bigint, value text) returns text language sql immutable parallel safe as 'select case when $1 >= 0 then $2 end';

-- Streams -----------------------------------------------------------------------------------------------------------
-- Scripts run under a role that can read nothing but what follows, and that shows only the organization named by the
-- setting gs.organization and, unless it is empty, the components listed in gs.components.

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
    -- From PostgreSQL 16 on, whoever made a role may give it away but not yet take it.
    set local role coppice_gsql;
    reset role;
  exception when insufficient_privilege then
    grant coppice_gsql to current_user;
  end;
exception when insufficient_privilege then
  raise exception 'the database user % may not create the role coppice_gsql: give it CREATEROLE, or run as an administrator: create role coppice_gsql nologin; grant coppice_gsql to %',
    current_user, current_user;
end $$;

create view gs.stream_row with (security_barrier) as
select stream.key as stream_key, component.id as cid, component.uid as cuid, component.name as cname,
  stream.id, stream.uid, stream.name, stream.description, folder.path as folder_path, component.time_zone,
  stream.kind, stream.value_type, coalesce(unit.symbol, '') as unit, stream.position, component.key as component_key
from component
join folder on folder.key = component.folder_key
join stream on stream.component_key = component.key
left join unit on unit.key = stream.unit_key
where component.organization_key = nullif(current_setting('gs.organization', true), '')::integer
  and not component.is_template
  and (nullif(current_setting('gs.components', true), '') is null
    or component.key = any (nullif(current_setting('gs.components', true), '')::integer[]));

create function gs.stored_at(ms bigint) returns timestamptz language sql immutable strict parallel safe as $$
  select to_timestamp($1 / 1000) + ($1 % 1000) * interval '1 millisecond'
$$;

-- The kind of a stream that may be read, else null.
create function gs.readable_kind(stream integer) returns text language sql stable security definer set search_path from current as $$
  select kind from gs.stream_row where stream_key = stream
$$;

-- The samples of a stream, timed as they are shown: from low on, before high (null: open), and of these the last `most`
-- (null: all). A function, and not a view, because it asks once for the stream and not once for each sample, and
-- because the last ones are then read backwards from the end.
create function gs.samples(stream integer, low bigint, high bigint, most bigint)
returns table (ms bigint, start_ms bigint, num double precision, long bigint, text text)
language plpgsql stable security definer set search_path from current as $$
#variable_conflict use_column
declare
  kind text := gs.readable_kind(stream);
  -- Interval streams are stored at their end less one millisecond.
  shift bigint := case when kind = 'interval' then 1 else 0 end;
  first_time timestamptz := gs.stored_at(greatest(low, -62135596800000) - shift);
  last_time timestamptz := gs.stored_at(least(high, 253402300800001) - shift);
begin
  if kind is null then return; end if;
  first_time := coalesce(first_time, '-infinity');
  last_time := coalesce(last_time, 'infinity');
  if kind = 'point' then
    return query select t.ms, t.ms, p.num, p.long, p.text from point_sample p, lateral (select gs.millis_of(timezone('UTC', p.time)) as ms) t
      where p.stream_key = stream and p.time >= first_time and p.time < last_time;
  elsif most is null then
    return query select t.ms, t.ms - coalesce(s.span, 0)::bigint * 1000, s.num, s.long, s.text
      from sample s, lateral (select gs.millis_of(timezone('UTC', s.time)) + shift as ms) t
      where s.stream_key = stream and s.time >= first_time and s.time < last_time
      order by s.time;
  else
    return query select t.ms, t.ms - coalesce(s.span, 0)::bigint * 1000, s.num, s.long, s.text
      from (select * from sample s where s.stream_key = stream and s.time >= first_time and s.time < last_time order by s.time desc limit most) s,
        lateral (select gs.millis_of(timezone('UTC', s.time)) + shift as ms) t
      order by s.time;
  end if;
end $$;

-- When a stream begins, or null.
create function gs.first_ms(stream integer) returns bigint language plpgsql stable security definer set search_path from current as $$
declare
  kind text := gs.readable_kind(stream);
begin
  if kind = 'point' then return (select gs.millis_of(timezone('UTC', time)) from point_sample where stream_key = stream); end if;
  if kind is null then return null; end if;
  return (select gs.millis_of(timezone('UTC', time)) + (case when kind = 'interval' then 1 else 0 end)
    from sample where stream_key = stream order by time limit 1);
end $$;

-- A sample's value by its stream's type: 1 and 0 of a BOOLEAN are true and false.
create function gs.any_sample(value_type text, num double precision, long bigint, text text) returns jsonb
language sql stable parallel safe as $$
  select case value_type when 'DOUBLE' then to_jsonb(num) when 'BOOLEAN' then to_jsonb(num = 1) when 'LONG' then to_jsonb(long) else to_jsonb(text) end
$$;

revoke all on function gs.readable_kind(integer), gs.samples(integer, bigint, bigint, bigint), gs.first_ms(integer) from public;
grant usage on schema gs to coppice_gsql;
grant select on gs.stream_row to coppice_gsql;
grant execute on function gs.readable_kind(integer), gs.samples(integer, bigint, bigint, bigint), gs.first_ms(integer) to coppice_gsql;
