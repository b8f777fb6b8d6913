-- GS SQL: the operators + - * / % on LONGs, on DOUBLEs, and on values of any type.

create function gs.overflow(a bigint, sign text, b bigint, site integer) returns void language plpgsql immutable parallel safe as $$
begin
  perform gs.fail(a || ' ' || sign || ' ' || b || ' does not fit in a LONG', site);
end $$;

-- Below 2^62 no sum overflows, and below 2^31 no product: such numbers need no exact look.
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

-- Calculates with sizes at which the result can be too large, which fails, or too small, which is 0.
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

-- Values of any type. In these functions the usual case stands first, and calls as little as can be: a call costs more
-- than a sum.

-- Numbers are added; a value that stands beside a text is joined to it.
create function gs.add(a jsonb, b jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
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

-- a_site and b_site are the places of a and b, for a value that is no number.
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

-- Takes a number of gs.number.
create function gs.negate(a jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := a::numeric;
begin
  if scale(x) = 0 then return to_jsonb(gs.negate(x::bigint, site)); end if;
  return gs.any_of(-x::double precision);
end $$;
