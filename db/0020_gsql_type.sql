-- GS SQL: values from one type to another. try_ gives null for a value that is none of the type, the others fail.
--
-- Values whose type only their row tells (JSON_Value, lastValue, sample, columns of mixed types) are jsonb. A LONG is a
-- number without decimals, a DOUBLE has at least one: 7 and 7.0. Postgres compares and groups the two as equal. Doubles
-- below 2^63 are written out exactly, so that numbers compare as numeric.

create function gs.any_of(value text) returns jsonb language sql stable parallel safe as 'select to_jsonb($1)';
create function gs.any_of(value bigint) returns jsonb language sql stable parallel safe as 'select to_jsonb($1)';
create function gs.any_of(value boolean) returns jsonb language sql stable parallel safe as 'select to_jsonb($1)';

create function gs.any_of(value double precision) returns jsonb language plpgsql immutable strict parallel safe as $$
begin
  if value <> trunc(value) then return to_jsonb(value); end if;
  if abs(value) < 9223372036854775808 then return to_jsonb(round(value::bigint::numeric, 1)); end if;
  return to_jsonb(round(value::text::numeric, 1));
end $$;

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
  if jsonb_typeof(value) = 'number' and scale(value::numeric) > 0 then return gs.text_of(value::double precision); end if;
  return value #>> '{}';
end $$;

-- A text that is longer than this is no number, and not looked at. The smallest DOUBLE, written out to its last digit,
-- has 1,076 characters; the service reads numbers in uploads by the same limit.
create function gs.most_number() returns integer language sql immutable parallel safe as 'select 1100';

create function gs.try_double(value text) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  if length(value) > gs.most_number() then return null; end if;
  if value !~ '^[ \t\r\n]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t\r\n]*$' then return null; end if;
  if length(value) < 30 and value !~ '[eE]' then return value::double precision; end if;
  begin
    return value::double precision;
  exception when numeric_value_out_of_range then
    -- A number that is too small is 0, one that is too large is none.
    return case when value ~ '[eE]-|^[ \t\r\n]*[+-]?0*\.' then 0 end;
  end;
end $$;

create function gs.try_double(value jsonb) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value)
    when 'number' then value::double precision
    when 'string' then gs.try_double(value #>> '{}')
    when 'boolean' then case when value = 'true' then 1 else 0 end end;
end $$;

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
  if length(value) > gs.most_number() then return null; end if;
  if value ~ '^[ \t\r\n]*[+-]?\d{1,18}[ \t\r\n]*$' then return value::bigint; end if;
  if value !~ '^[ \t\r\n]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t\r\n]*$' then return null; end if;
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

-- The number that a value is: true and false are LONGs, a text is a DOUBLE.
create function gs.number(value jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(value);
begin
  if kind = 'number' then return value; end if;
  if kind = 'boolean' then return case when value = 'true' then '1'::jsonb else '0'::jsonb end; end if;
  return gs.any_of(gs.double(value #>> '{}', site));
end $$;

-- The number that a value is (true 1, false 0), or null; the text that it is, or null.
create function gs.numeric_in(value jsonb) returns numeric language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value) when 'number' then value::numeric when 'boolean' then case when value = 'true' then 1 else 0 end end;
end $$;

create function gs.text_in(value jsonb) returns text language plpgsql immutable strict parallel safe as $$
begin
  return case when jsonb_typeof(value) = 'string' then value #>> '{}' end;
end $$;

-- The number that a text is, or null: a LONG exactly, anything else as the DOUBLE it becomes.
create function gs.numeric_of(value text) returns numeric language plpgsql immutable strict parallel safe as $$
begin
  if length(value) > gs.most_number() or value !~ '\d' then return null; end if;
  if value ~ '^[ \t\r\n]*[+-]?\d{1,19}[ \t\r\n]*$' then
    if gs.try_long(value) is not null then return value::numeric; end if;
  end if;
  return gs.any_of(gs.try_double(value))::numeric;
end $$;

-- 1 and 0 for true and false in any case, else null.
create function gs.truth_of(value text) returns numeric language plpgsql immutable strict parallel safe as $$
begin
  return case lower(btrim(value, E' \t\r\n')) when 'true' then 1 when 'false' then 0 end;
end $$;
