-- parseCsv also cuts texts that are no CSV: a quote opens a field only where its closing quote ends it, blanks aside.
-- parseCsv('{"a":1,"b":2}', 2) is "b":2} and not b:2}.
create or replace function gs.parse_csv(a text, index bigint, delimiter text) returns text language plpgsql immutable strict parallel safe as $$
declare
  rest text := a;
  quoted text;
  field text;
  at integer;
begin
  if index < 1 or index > 1000000 then return null; end if;
  if a = '' then return case when index = 1 then '' end; end if;
  if strpos(a, '"') = 0 then return (string_to_array(a, delimiter))[index::integer]; end if;
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
