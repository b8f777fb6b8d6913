import assert from 'node:assert/strict'
import { closeGate, patientTransaction } from '../../../src/core/sample/catalog-change.ts'
import { markAllStale } from '../../../src/core/sample/retype.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

const hours = [
  '2026-01-01 01:00',
  '2026-01-01 05:00',
  '2026-01-01 07:00',
  '2026-01-01 11:00',
  '2026-01-01 13:00',
] as const

describe('core/retype', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
    await database.sql`
      insert into sample (stream_key, time, text) select 5, hour::timestamptz, '1' from unnest(${hours}::text[]) as hour`
  })
  after(() => database.drop())
  beforeEach(() => database.sql`truncate stale_mark`)

  const claim = (until: string) => database.sql`update rollup_state set claimed_until = ${until}::text::timestamptz`
  /** Changes the stream, with something in between. */
  const change = async (between: () => PromiseLike<unknown>) => {
    await claim('2026-01-01 06:00+00')
    await patientTransaction(database.sql, ['test'], async (sql) => {
      await closeGate(sql, 1)
      await markAllStale(sql, 5)
      await between()
    })
    const marks = await database.sql<{ first: string; last: string }[]>`
      select to_char(first_time, 'HH24:MI') as first, to_char(last_time, 'HH24:MI') as last from stale_mark order by 1`
    return marks.map(({ first, last }) => `${first} to ${last}`)
  }

  it('marks what is aggregated of a stream that becomes one of numbers', async () => {
    assert.deepEqual(await change(async () => {}), ['01:00 to 05:00'])
  })

  it('marks what is claimed for aggregates while the change goes on, too: they would be made of texts', async () => {
    assert.deepEqual(await change(() => claim('2026-01-01 12:00+00')), ['01:00 to 05:00', '07:00 to 11:00'])
  })
})
