-- GS SQL: functions of numbers. Those of values of any type take numbers of gs.number.

create function gs.abs_of(a bigint, site integer) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if a = -9223372036854775808 then perform gs.fail('Abs(' || a || ') does not fit in a LONG', site); end if;
  return abs(a);
end $$;

create function gs.abs_of(a double precision, site integer) returns double precision language sql immutable strict parallel safe as 'select abs($1)';

create function gs.abs_of(a jsonb, site integer) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := a::numeric;
begin
  if scale(x) = 0 then return to_jsonb(gs.abs_of(x::bigint, site)); end if;
  return gs.any_of(abs(x::double precision));
end $$;

-- Round(1234, -2) is 1200, as in every SQL.
create function gs.round_of(a bigint, places bigint) returns bigint language plpgsql immutable strict parallel safe as $$
begin
  if places >= 0 then return a; end if;
  -- The nearest multiple of 10^19 is 0, or does not fit.
  if places < -18 then return 0; end if;
  return gs.try_long(round(a::numeric, places::integer));
end $$;

create function gs.round_of(a double precision, places bigint) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  -- From 2^53 on every double is whole. Halves go away from zero.
  if places > 20 or (places >= 0 and abs(a) >= 9007199254740992) then return a; end if;
  return round(a::text::numeric, greatest(places, -400)::integer)::double precision;
end $$;

create function gs.round_of(a jsonb, places bigint) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := a::numeric;
begin
  if scale(x) = 0 then return to_jsonb(gs.round_of(x::bigint, places)); end if;
  return gs.any_of(gs.round_of(x::double precision, places));
end $$;

create function gs.round_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select $1';
create function gs.round_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select gs.round_of($1, 0)';
create function gs.round_of(a jsonb) returns jsonb language sql immutable strict parallel safe as 'select gs.round_of($1, 0)';

create function gs.floor_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select $1';
create function gs.floor_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select floor($1)';
create function gs.floor_of(a jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when scale(a::numeric) = 0 then a else gs.any_of(floor(a::double precision)) end; end';

create function gs.ceil_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select $1';
create function gs.ceil_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select ceil($1)';
create function gs.ceil_of(a jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when scale(a::numeric) = 0 then a else gs.any_of(ceil(a::double precision)) end; end';

create function gs.trunc_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select $1';
create function gs.trunc_of(a double precision) returns double precision language sql immutable strict parallel safe as 'select trunc($1)';
create function gs.trunc_of(a jsonb) returns jsonb language plpgsql immutable strict parallel safe as
  'begin return case when scale(a::numeric) = 0 then a else gs.any_of(trunc(a::double precision)) end; end';

create function gs.sign_of(a bigint) returns bigint language sql immutable strict parallel safe as 'select sign($1::numeric)::bigint';
create function gs.sign_of(a double precision) returns bigint language sql immutable strict parallel safe as 'select sign($1)::bigint';
create function gs.sign_of(a jsonb) returns bigint language sql immutable strict parallel safe as 'select sign($1::numeric)::bigint';

create function gs.mod_of(a bigint, b bigint) returns bigint language plpgsql immutable strict parallel safe as 'begin return gs.remainder(a, b, 0); end';

create function gs.mod_of(a double precision, b double precision) returns double precision language plpgsql immutable strict parallel safe as $$
begin
  return case when b = 0 then null else mod(a::text::numeric, b::text::numeric)::double precision end;
end $$;

create function gs.mod_of(a jsonb, b jsonb) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  x numeric := a::numeric;
  y numeric := b::numeric;
begin
  if scale(x) = 0 and scale(y) = 0 then return to_jsonb(gs.mod_of(x::bigint, y::bigint)); end if;
  return gs.any_of(gs.mod_of(x::double precision, y::double precision));
end $$;

-- These are null where they are not defined, as in SQLite.
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
