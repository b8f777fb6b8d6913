-- GS SQL: dates that end in an offset or Z are read by places too, as most that come in JSON do.
--
-- starts tells where year, month, day, hour, minute, second, milliseconds and the offset begin (0: not there). By
-- groups such a date took 65 microseconds, by places 8. Arithmetic in whole numbers: extract(epoch ...) is a numeric.
create or replace function gs.to_epoch_millis(value text, expression text, fields text, starts integer[], zone text, site integer)
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
  -- What the time would be in UTC.
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
