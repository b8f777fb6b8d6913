// Beginnings of connectors, each with a message of its sender to try it on: some of our own, and the recipes of the
// cookbook, read off its page, so that there is one text of each.

import type { Recipe } from './cookbook.ts'
import { recipesOf } from './cookbook.ts'

export const beginnings: readonly Recipe[] = [
  {
    title: 'JSON: one device, one value',
    sql: `INSERT OR REPLACE INTO SAMPLE(CID, ID, SAMPLE)
SELECT device, 'temp', t
FROM JSON_TABLE(@HTTP_BODY) WITH (
  device String '$.device',
  t Double '$.t'
)`,
    body: '{"device":"boiler-1","t":21.5}',
  },
  {
    title: 'JSON: a list of readings with times',
    sql: `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT device, name, time, value
FROM JSON_TABLE(@HTTP_BODY) WITH (
  device String '$.device',
  name String '$.readings[*].name',
  time Long '$.readings[*].time',
  value Double '$.readings[*].value'
)`,
    body: '{"device":"plc-7","readings":[{"name":"flow","time":1767225600000,"value":3.2},{"name":"level","time":1767225600000,"value":81}]}',
  },
  {
    title: 'CSV: device, time, value',
    sql: `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT device, 'value', TOEPOCHMILLIS(at, 'yyyy-MM-dd HH:mm:ss'), value
FROM CSV_TABLE(@HTTP_BODY, TRUE) WITH (
  1 device STRING,
  2 at STRING,
  3 value DOUBLE
)`,
    body: 'device,at,value\nmeter-1,2026-01-01 00:00:00,12.5\nmeter-2,2026-01-01 00:00:00,7.25',
  },
  {
    title: 'Address only: ?device=…&temp=…',
    sql: `INSERT OR REPLACE INTO SAMPLE(CID, ID, SAMPLE)
SELECT QueryParam(@HTTP_QUERY_RAW, 'device'), 'temp', Cast(QueryParam(@HTTP_QUERY_RAW, 'temp') AS DOUBLE)`,
    body: '',
  },
]

export const loadCookbook = async (): Promise<readonly Recipe[]> => {
  const { default: page } = await import('../../../../grammar/COOKBOOK.md')
  return recipesOf(page)
}
