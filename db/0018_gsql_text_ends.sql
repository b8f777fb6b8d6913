-- Where the texts that senders push begin and end: a BOM before JSON is no part of it, and neither is a line end of the
-- last field that parseCsv cuts off, unless line ends are what it cuts at.
create or replace function gs.parse_csv(a text, index bigint, delimiter text) returns text language plpgsql immutable strict parallel safe as $$
declare
  rest text := case when delimiter ~ '[\r\n]' then a else rtrim(a, E'\r\n') end;
  quoted text;
  field text;
  at integer;
begin
  if index < 1 or index > 1000000 then return null; end if;
  if rest = '' then return case when index = 1 then '' end; end if;
  if strpos(rest, '"') = 0 then return (string_to_array(rest, delimiter))[index::integer]; end if;
  for number in 1 .. index loop
    quoted := substring(rest from '^"(?:[^"]|"")*"');
    if quoted is not null then
      field := substr(rest, length(quoted) + 1);
      at := case when delimiter = '' then 0 else strpos(field, delimiter) end;
      if btrim(case when at = 0 then field else left(field, at - 1) end, E' \t') = '' then
        rest := field;
      else
        quoted := null;
      end if;
    end if;
    at := case when delimiter = '' then 0 else strpos(rest, delimiter) end;
    if number = index then
      field := case when at = 0 then rest else left(rest, at - 1) end;
      return coalesce(replace(substr(quoted, 2, length(quoted) - 2), '""', '"'), '') || field;
    end if;
    if at = 0 then return null; end if;
    rest := substr(rest, at + length(delimiter));
  end loop;
end $$;

create function gs.without_bom(value text) returns text language sql immutable strict parallel safe as $$
  select case when starts_with($1, U&'\FEFF') then substr($1, 2) else $1 end
$$;

create or replace function gs.is_json(value text) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  perform gs.without_bom(value)::jsonb;
  return true;
exception when others then
  return false;
end $$;

create or replace function gs.json_of(value text, site integer) returns json language plpgsql immutable strict parallel safe as $$
declare
  document text := gs.without_bom(value);
begin
  if document ~ '^[ \t\r\n]*$' then return null; end if;
  perform document::jsonb;
  return document::json;
exception when others then
  perform gs.fail('the text is not JSON', site);
end $$;
