-- GS SQL: functions of texts, and LIKE.
--
-- The time that a stranger's text takes must grow no faster than its length. PostgreSQL's searches compare byte by byte
-- at every place, so their time is the length of the text times that of the part, and no time limit ends them (4 MB and
-- 30 KB: 106 s for strpos, 263 s for like, both past a statement_timeout of 3 s). So a long part in a long text is
-- refused.

-- Gives the part, or fails if it is too long to be looked for. Up to 64 bytes cost at most a second in the longest
-- text; beyond, the product of the lengths counts.
create function gs.sought(a text, part text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(part) > 64 and octet_length(a)::bigint * octet_length(part) > 500000000 then
    perform gs.fail('a text of ' || octet_length(part) || ' bytes is too long to be looked for in one of ' || octet_length(a), -1);
  end if;
  return part;
end $$;

create function gs.index_of(a text, part text) returns bigint language plpgsql immutable strict parallel safe as
  'begin return strpos(a, case when octet_length(part) > 64 then gs.sought(a, part) else part end); end';
create function gs.contains_text(a text, part text) returns boolean language plpgsql immutable strict parallel safe as
  'begin return strpos(a, case when octet_length(part) > 64 then gs.sought(a, part) else part end) > 0; end';
create function gs.starts_with_text(a text, part text) returns boolean language sql immutable strict parallel safe as 'select starts_with($1, $2)';
create function gs.ends_with_text(a text, part text) returns boolean language plpgsql immutable strict parallel safe as 'begin return right(a, length(part)) = part; end';

create function gs.trim_both(a text) returns text language sql immutable strict parallel safe as 'select btrim($1)';
create function gs.trim_both(a text, characters text) returns text language plpgsql immutable strict parallel safe as
  'begin return btrim(a, gs.sought(a, characters)); end';
create function gs.trim_left(a text) returns text language sql immutable strict parallel safe as 'select ltrim($1)';
create function gs.trim_left(a text, characters text) returns text language plpgsql immutable strict parallel safe as
  'begin return ltrim(a, gs.sought(a, characters)); end';
create function gs.trim_right(a text) returns text language sql immutable strict parallel safe as 'select rtrim($1)';
create function gs.trim_right(a text, characters text) returns text language plpgsql immutable strict parallel safe as
  'begin return rtrim(a, gs.sought(a, characters)); end';

create function gs.len(a text) returns bigint language sql immutable strict parallel safe as 'select length($1)::bigint';
create function gs.lower_of(a text) returns text language sql immutable strict parallel safe as 'select lower($1)';
create function gs.upper_of(a text) returns text language sql immutable strict parallel safe as 'select upper($1)';
create function gs.reverse_text(a text) returns text language sql immutable strict parallel safe as 'select reverse($1)';

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

-- As in SQLite: from the end when the start is negative; places before the first character take part of the length; a
-- negative length takes the characters before the start.
create function gs.substr(a text, start bigint, count bigint) returns text language plpgsql immutable strict parallel safe as $$
declare
  size bigint := length(a);
  -- Beyond these bounds every number means the same to a text.
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
  growth bigint := octet_length(instead) - octet_length(gs.sought(a, part));
begin
  if part = '' then return a; end if;
  if growth > 0 and octet_length(a) + growth * (octet_length(a) / octet_length(part)) > gs.max_text()
    and octet_length(a) + growth * ((octet_length(a) - octet_length(replace(a, part, ''))) / octet_length(part)) > gs.max_text()
  then perform gs.text_too_long(site); end if;
  return replace(a, part, instead);
end $$;

-- The compiler has translated the expression and the replacement from those in the script.
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

-- LIKE ignores the case of ASCII letters, and knows no escape unless the script names one.
create function gs.fold(a text) returns text language sql immutable strict parallel safe as $$
  select translate($1, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
$$;

create function gs.like_text(a text, pattern text) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  return gs.fold(a) like gs.fold(case when octet_length(pattern) > 64 then gs.sought(a, pattern) else pattern end) escape '';
end $$;

create function gs.like_text(a text, pattern text, escape text, site integer) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  if length(escape) <> 1 then perform gs.fail('ESCAPE needs one character, not ' || gs.quoted(escape), site); end if;
  return gs.fold(a) like gs.fold(gs.sought(a, pattern)) escape gs.fold(escape);
exception when invalid_escape_sequence then
  return false;
end $$;

create function gs.hex_to_long(a text, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
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

-- Gives the field with the number index, from 1: null where there is none, '' for an empty one. A quoted field may hold
-- the delimiter, and "" for a quote. Line ends after the last field are cut off, unless line ends divide the fields.
--
-- The fields are the pieces between delimiters; pieces that a quote holds together are one. Texts that are no CSV are
-- cut too: a quote that something other than blanks follows, or that is never closed, is part of a plain field, so
-- parseCsv('{"a":1,"b":2}', 2) is "b":2} and not b:2}. No piece is passed over twice on the way to a closing quote:
-- inside quotes it has pairs only, so as a field of its own it would close at once.
create function gs.parse_csv(a text, index bigint, delimiter text) returns text language plpgsql immutable strict parallel safe as $$
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
