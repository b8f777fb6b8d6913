-- GS SQL: what a stranger's text costs. PostgreSQL's searches compare byte by byte at every place: text times part, and
-- no time limit ends them (4 MB and 30 KB: 106 s for strpos, 263 s for like, both past a statement_timeout of 3 s).
-- So a long part in a long text is refused, numbers too long to be any are not looked at, and parseCsv reads once.

-- Up to 64 bytes cost at most a second in the longest text; beyond, the product counts. The site is the statement's.
create function gs.sought(a text, part text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(part) > 64 and octet_length(a)::bigint * octet_length(part) > 500000000 then
    perform gs.fail('a text of ' || octet_length(part) || ' bytes is too long to be looked for in one of ' || octet_length(a), -1);
  end if;
  return part;
end $$;

-- In plpgsql: of an SQL function that is not inlined, as one with a strict argument in it twice, a call takes 10 µs.
create or replace function gs.index_of(a text, part text) returns bigint language plpgsql immutable strict parallel safe as
  'begin return strpos(a, case when octet_length(part) > 64 then gs.sought(a, part) else part end); end';
create or replace function gs.contains_text(a text, part text) returns boolean language plpgsql immutable strict parallel safe as
  'begin return strpos(a, case when octet_length(part) > 64 then gs.sought(a, part) else part end) > 0; end';
create or replace function gs.trim_both(a text, characters text) returns text language plpgsql immutable strict parallel safe as
  'begin return btrim(a, gs.sought(a, characters)); end';
create or replace function gs.trim_left(a text, characters text) returns text language plpgsql immutable strict parallel safe as
  'begin return ltrim(a, gs.sought(a, characters)); end';
create or replace function gs.trim_right(a text, characters text) returns text language plpgsql immutable strict parallel safe as
  'begin return rtrim(a, gs.sought(a, characters)); end';

create or replace function gs.replace_text(a text, part text, instead text, site integer) returns text language plpgsql immutable strict parallel safe as $$
declare
  growth bigint := octet_length(instead) - octet_length(gs.sought(a, part));
begin
  if part = '' then return a; end if;
  if growth > 0 and octet_length(a) + growth * (octet_length(a) / octet_length(part)) > gs.max_text()
    and octet_length(a) + growth * ((octet_length(a) - octet_length(replace(a, part, ''))) / octet_length(part)) > gs.max_text()
  then perform gs.text_too_long(site); end if;
  return replace(a, part, instead);
end $$;

create or replace function gs.like_text(a text, pattern text) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  return gs.fold(a) like gs.fold(case when octet_length(pattern) > 64 then gs.sought(a, pattern) else pattern end) escape '';
end $$;

create or replace function gs.like_text(a text, pattern text, escape text, site integer) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  if length(escape) <> 1 then perform gs.fail('ESCAPE needs one character, not ' || gs.quoted(escape), site); end if;
  return gs.fold(a) like gs.fold(gs.sought(a, pattern)) escape gs.fold(escape);
exception when invalid_escape_sequence then
  return false;
end $$;

-- The smallest DOUBLE, written out to its last digit, has 1,076 characters: src/core/value.ts has the same number.
create function gs.most_number() returns integer language sql immutable parallel safe as 'select 1100';

create or replace function gs.try_double(value text) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  if length(value) > gs.most_number() then return null; end if;
  if value !~ '^[ \t\r\n]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t\r\n]*$' then return null; end if;
  if length(value) < 30 and value !~ '[eE]' then return value::double precision; end if;
  begin
    return value::double precision;
  exception when numeric_value_out_of_range then
    -- Too small is nothing, too large is no number.
    return case when value ~ '[eE]-|^[ \t\r\n]*[+-]?0*\.' then 0 end;
  end;
end $$;

create or replace function gs.try_long(value text) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if length(value) > gs.most_number() then return null; end if;
  if value ~ '^[ \t\r\n]*[+-]?\d{1,18}[ \t\r\n]*$' then return value::bigint; end if;
  if value !~ '^[ \t\r\n]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t\r\n]*$' then return null; end if;
  return case when value ~ '[eE]' then gs.try_long(gs.try_double(value)) else gs.try_long(value::numeric) end;
end $$;

create or replace function gs.numeric_of(value text) returns numeric language plpgsql immutable strict parallel safe as $$
begin
  if length(value) > gs.most_number() or value !~ '\d' then return null; end if;
  if value ~ '^[ \t\r\n]*[+-]?\d{1,19}[ \t\r\n]*$' then
    if gs.try_long(value) is not null then return value::numeric; end if;
  end if;
  return gs.any_of(gs.try_double(value))::numeric;
end $$;

create or replace function gs.hex_to_long(a text, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  digits text;
begin
  if length(a) <= gs.most_number() then
    digits := ltrim(substring(btrim(a) from '^(?:0[xX])?([0-9a-fA-F]+)$'), '0');
  end if;
  if digits is null then perform gs.fail(gs.quoted(a) || ' is not hexadecimal', site); end if;
  if length(digits) > 16 or (length(digits) = 16 and digits >= '8') then
    perform gs.fail(gs.quoted(a) || ' does not fit in a LONG', site);
  end if;
  return ('x' || lpad(digits, 16, '0'))::bit(64)::bigint;
end $$;

-- The pieces between delimiters; those that a quote holds together are one field. A quote that something other than
-- blanks follows, or that is never closed, is part of a plain field. No piece is passed over twice on the way to a
-- closing quote: inside quotes it has pairs only, so as a field of its own it would close at once.
create or replace function gs.parse_csv(a text, index bigint, delimiter text) returns text language plpgsql immutable strict parallel safe as $$
declare
  rest text := case when delimiter ~ '[\r\n]' then a else rtrim(a, E'\r\n') end;
  pieces text[];
  count integer;
  first integer := 1;
  last integer;
  field text;
begin
  if index < 1 or index > 1000000 then return null; end if;
  if rest = '' then return case when index = 1 then '' end; end if;
  pieces := string_to_array(rest, gs.sought(rest, delimiter));
  if strpos(rest, '"') = 0 or strpos(delimiter, '"') > 0 then return pieces[index::integer]; end if;
  count := cardinality(pieces);
  for number in 1 .. index loop
    if first > count then return null; end if;
    last := first;
    if starts_with(pieces[first], '"') then
      field := substr(pieces[first], 2);
      while last < count and (strpos(field, '"') = 0 or field ~ '^(?:[^"]|"")*$') loop
        last := last + 1;
        field := pieces[last];
      end loop;
      if field !~ '^(?:[^"]|"")*"[ \t]*$' then last := first; end if;
    end if;
    if number = index then
      field := array_to_string(pieces[first:last], delimiter);
      if not starts_with(field, '"') or substr(field, 2) !~ '^(?:[^"]|"")*"[ \t]*$' then return field; end if;
      rest := rtrim(field, E' \t');
      return replace(substr(rest, 2, length(rest) - 2), '""', '"') || substr(field, length(rest) + 1);
    end if;
    first := last + 1;
  end loop;
end $$;
