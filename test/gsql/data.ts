// The data of the tests of Stream: two components of the first organization, and one that belongs to another. All times
// lie before nowMs of scripts.ts, 2026-03-01T12:00:00Z = 1772366400000.
import type { Pool } from '../../src/base/database/sql.ts'

export const fillDatabase = async (sql: Pool): Promise<void> => {
  await sql.unsafe(`
    insert into organization (name) values ('ours'), ('theirs');
    insert into folder (organization_key, path) values (1, '/Components/house'), (1, '/Components'), (2, '/Components');
    insert into unit (organization_key, id, name, symbol) values (1, 'celsius', 'Celsius', '°C');
    insert into cycle (organization_key, id, name, size, unit, reference, is_stock) values
      (1, 'hour', 'Hour', 1, 'hour', '2001-01-01T00:00:00', true),
      (1, 'day', 'Day', 1, 'day', '2001-01-01T00:00:00', true),
      (1, 'month', 'Month', 1, 'month', '2001-01-01T00:00:00', true);
    insert into component (organization_key, id, name, folder_key, time_zone) values
      (1, 'boiler', 'The boiler', 1, 'Europe/Berlin'),
      (1, 'meter', 'The meter', 2, 'America/New_York'),
      (2, 'secret', 'Theirs', 3, 'UTC');
    insert into stream (component_key, id, name, kind, value_type, unit_key, base_cycle_key, position) values
      (1, 'temp', 'Temperature', 'random', 'DOUBLE', 1, null, 1),
      (1, 'state', 'State', 'random', 'STRING', null, null, 2),
      (1, 'on', 'On', 'random', 'BOOLEAN', null, null, 3),
      (1, 'count', 'Count', 'random', 'LONG', null, null, 4),
      (1, 'set', 'Set point', 'point', 'DOUBLE', null, null, 5),
      (1, 'empty', 'Nothing', 'random', 'DOUBLE', null, null, 6),
      (2, 'kwh', 'Energy', 'interval', 'DOUBLE', null, 1, 1),
      (3, 'secret', 'Secret', 'random', 'STRING', null, null, 1);
    insert into sample (stream_key, span, time, num, long, text)
    select stream, span, to_timestamp((ms - case when stream = 7 then 1 else 0 end) / 1000.0), num, long, text from (values
      (1, null::integer, 1772280000000, 20.5::float8, null::bigint, null),
      (1, null, 1772283600000, 21.5, null, null),
      (1, null, 1772359200000, 21.5, null, null),
      (1, null, 1772362800000, 22.5, null, null),
      (1, null, 1772366400000, 23.5, null, null),
      (2, null, 1772359200000, null, null, 'on'),
      (2, null, 1772362800000, null, null, 'off'),
      (2, null, 1772366400000, null, null, 'on'),
      (3, null, 1772362800000, 1, null, null),
      (3, null, 1772366400000, 0, null, null),
      (4, null, 1772366400000, null, 9007199254740993, null),
      (7, 3600, 1772355600000, 1, null, null),
      (7, 3600, 1772359200000, 2, null, null),
      (7, 3600, 1772362800000, null, null, null),
      (7, 3600, 1772366400000, 4, null, null),
      (8, null, 1772366400000, null, null, 'what nobody else may see')) as row (stream, span, ms, num, long, text);
    insert into point_sample (stream_key, time, num) values (5, to_timestamp(1772300000), 65.5)`)
}
