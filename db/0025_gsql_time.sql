-- GS SQL: times. A script's time is milliseconds since 1970; utc is that moment as a timestamp, local what the clocks
-- of a zone show then. A zone is a name that Postgres knows, or an offset like +02:00 (which Postgres by itself would
-- read the other way).

create function gs.zone(name text, site integer) returns text language plpgsql immutable strict parallel safe as $$
begin
  if name ~ '^[+-](0\d|1[0-8]):?[0-5]\d$' then return left(name, 3) || ':' || right(name, 2); end if;
  if upper(name) in ('Z', 'UTC', 'GMT') then return 'UTC'; end if;
  -- Postgres would take FOO5 as the definition of a zone.
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

-- A local time that happens twice is the first of the two, where Postgres takes the second; one that does not happen
-- moves forward.
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

-- The short name, such as CEST, which Postgres gives for the zone of the session only.
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

create function gs.month_length(year integer, month integer) returns integer language plpgsql immutable strict parallel safe as $$
begin
  return case when month in (4, 6, 9, 11) then 30 when month <> 2 then 31
    when year % 4 = 0 and (year % 100 <> 0 or year % 400 = 0) then 29 else 28 end;
end $$;

-- Reads a text by a date pattern, which the compiler has made a regular expression. In most patterns every field has a
-- fixed place: starts then says where year, month, day, hour, minute, second, milliseconds and the offset begin (0: not
-- there), and only the shape is left to the expression. In the others, fields has a letter for each group of it. A date
-- with an offset takes 8 microseconds by places and 65 by groups. Arithmetic is in whole numbers: extract(epoch ...) is
-- a numeric.
create function gs.to_epoch_millis(value text, expression text, fields text, starts integer[], zone text, site integer)
returns bigint language plpgsql immutable strict parallel safe as $$
declare
  place text := zone;
  year integer;
  month integer;
  day integer;
  local bigint;
begin
  if starts = '{}' then return gs.to_epoch_millis_by_groups(value, expression, fields, zone, site); end if;
  if value !~ expression then perform gs.fail(gs.quoted(value) || ' does not fit the date pattern', site); end if;
  year := substr(value, starts[1], 4);
  month := substr(value, starts[2], 2);
  day := substr(value, starts[3], 2);
  if year < 1 or month not between 1 and 12 or day < 1 or (day > 28 and day > gs.month_length(year, month)) then
    perform gs.fail(gs.quoted(value) || ' is not a date and time', site);
  end if;
  -- The time, were the zone UTC.
  local := (make_date(year, month, day) - date '1970-01-01') * bigint '86400000'
    + case when starts[4] > 0 then substr(value, starts[4], 2)::integer * 3600000 else 0 end
    + case when starts[5] > 0 then substr(value, starts[5], 2)::integer * 60000 else 0 end
    + case when starts[6] > 0 then substr(value, starts[6], 2)::integer * 1000 else 0 end
    + case when starts[7] > 0 then substr(value, starts[7], 3)::integer else 0 end;
  if starts[8] > 0 then
    place := substr(value, starts[8]);
    if place = 'Z' then return local; end if;
    place := case when length(place) = 3 then place || ':00' else left(place, 3) || ':' || right(place, 2) end;
    if place !~ '^[+-](0\d|1[0-8]):[0-5]\d$' then
      perform gs.fail(gs.quoted(value) || ' is not a date and time', site);
    end if;
  end if;
  if place = 'UTC' then return local; end if;
  if left(place, 1) in ('+', '-') then
    return local - (left(place, 1) || '1')::integer * (substr(place, 2, 2)::integer * 3600000 + right(place, 2)::integer * 60000);
  end if;
  return gs.millis_of(gs.utc_at(timestamp 'epoch' + make_interval(days => (local / 86400000)::integer)
    + (local % 86400000) * interval '1 millisecond', place));
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
  -- IST is the time of India, Israel or Ireland: the one of the given zone is meant, if that zone has such a name then.
  if short is not null and short <> gs.zone_short(gs.utc_at(local, place), place) then place := gs.zone(short, site); end if;
  return gs.millis_of(gs.utc_at(local, place)) + milli;
end $$;

-- Writes a time by a date pattern: each part is a run of pattern letters, or a text after a quote.
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
