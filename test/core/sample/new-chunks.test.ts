import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { openCompression } from '../../../src/core/upkeep/compression.ts'
import { dropEmptied, weekMs } from '../../../src/core/sample/chunk.ts'
import { makeChunks, makeComingChunks } from '../../../src/core/sample/new-chunks.ts'
import { archiveSome } from '../../../src/core/upkeep/retention.ts'
import { readStatistic } from '../../../src/core/statistic/statistic-read.ts'
import { rollUp } from '../../../src/core/statistic/rollup.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { Span } from '../../../src/core/time/span.ts'
import { startJobs } from '../../../src/jobs.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { openTestClock, openTestService } from '../../support/service.ts'
import { addStreams } from '../../support/streams.ts'
import { eventually } from '../../support/within.ts'

const nowMs = Date.parse('2026-05-20T12:00:00Z')
/** Its week begins here. */
const weekStartMs = Date.parse('2026-05-14T00:00:00Z')
const allYears: Span = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')]

/** The starts of chunks of weeks, in weeks from this one. */
const weeksIn = async (sql: TestDatabase['sql']) => {
  const rows = await sql<{ startMs: number }[]>`
    select range_start as "startMs" from timescaledb_information.chunks
    where hypertable_name = 'sample' and range_end - range_start = interval '7 days' order by 1`
  return rows.map(({ startMs }) => (startMs - weekStartMs) / weekMs)
}

describe('core/new-chunks', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.drop())

  const weeks = () => weeksIn(database.sql)
  const make = (span: Span, ...stretches: readonly Span[]) =>
    makeChunks(
      database.sql,
      span,
      (work) => work(database.sql),
      (note) => {
        for (const [firstMs, lastMs] of stretches) note(firstMs, lastMs)
      },
    )

  describe('chunks for rows', () => {
    it('are left to the rows themselves while somebody else makes one for long', async () => {
      await transaction(database.sql, async (sql) => {
        await sql`insert into sample (stream_key, time, num) values (1, ${nowMs + 5 * weekMs}, 1)`
        assert.equal(await make([nowMs, nowMs + weekMs], [nowMs, nowMs]), 0)
      })
      assert.deepEqual(await weeks(), [5])
    })

    it('are made in the weeks that have rows, and only where there is none', async () => {
      const at = (week: number) => weekStartMs + week * weekMs + 5
      await database.sql`insert into sample (stream_key, time, num) values (1, ${at(-3)}, 1)`
      const span: Span = [at(-10), at(20)]
      assert.equal(await make(span, [at(-10), at(-10)], [at(-4), at(-2)], [at(-2), at(-2)], [at(20), at(20)]), 4)
      assert.deepEqual(await weeks(), [-10, -4, -3, -2, 20])
      assert.equal(await make(span, [at(-4), at(-2)]), 0)
    })

    it('are not made in years whose weeks have none of their own, however far the rows are apart', async () => {
      const far = Array.from({ length: 2000 }, (_, n): Span => {
        const ms = allYears[0] + Math.floor((n * (allYears[1] - allYears[0])) / 2000)
        return [ms, ms]
      }).filter(([ms]) => ms < Date.parse('2000-01-01T00:00:00Z') || ms > Date.parse('2040-01-01T00:00:00Z'))
      assert.equal(await make(allYears, ...far), 0)
      assert.equal(await make(allYears, ...far, [nowMs, nowMs]), 1)
      assert.deepEqual(await weeks(), [0])
    })
  })

  describe('chunks of the weeks to come', () => {
    it('are this one and two more, which are made once and stay while they are empty', async () => {
      assert.equal(await makeComingChunks(database.sql, nowMs), 3)
      assert.equal(await makeComingChunks(database.sql, nowMs), 0)
      assert.equal(await dropEmptied(database.sql, nowMs), 0)
      assert.deepEqual(await weeks(), [0, 1, 2])
      assert.equal(await makeComingChunks(database.sql, nowMs + weekMs), 1)
      assert.equal(await dropEmptied(database.sql, nowMs + weekMs), 1)
      assert.deepEqual(await weeks(), [1, 2, 3])
    })

    it('change no statistic, and are archived and compressed as others', async () => {
      const [key] = (await addStreams(database.sql, [{}])) as [number]
      const laterMs = nowMs + 10 * weekMs
      const days = openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, 'UTC')
      const read = async () => {
        const stream = { key, kind: 'random', valueType: 'DOUBLE', calendar: undefined } as const
        const all = { startMs: undefined, endMs: undefined }
        return (await readStatistic(database.sql, [stream], days, 'sum', all, 10)).map(({ value }) => value)
      }
      await makeComingChunks(database.sql, nowMs)
      await database.sql`
        insert into sample (stream_key, time, num)
        values (${key}, ${nowMs}, 1), (${key}, ${nowMs + 2 * weekMs}, 2)`
      await makeComingChunks(database.sql, laterMs)
      while (await rollUp(database.sql, laterMs));
      const compress = openCompression()
      while (await compress(database.sql, laterMs));
      assert.deepEqual(await read(), [2, 1])
      await database.sql`insert into sample (stream_key, time, num) values (${key}, ${nowMs + weekMs}, 3)`
      const touchedMs = nowMs + weekMs
      await database.sql`
        insert into stale_mark (stream_key, first_time, last_time) values (${key}, ${touchedMs}, ${touchedMs})`
      assert.deepEqual(await read(), [2, 3, 1])
      await database.sql`update organization set retention_days = 7, kept_until = ${laterMs - weekMs}`
      await database.sql`update retention_state set next_stream = 0`
      while (await archiveSome(database.sql, laterMs, assert.fail));
      assert.deepEqual(await read(), [2, 3, 1])
      assert.equal(await dropEmptied(database.sql, laterMs), 3)
      assert.deepEqual(await weeks(), [10, 11, 12])
    })

    it('are made by a job', async () => {
      const service = await openTestService({}, openTestClock(nowMs))
      const jobs = startJobs(service.service.world, service.databaseUrl)
      try {
        await eventually(async () => (await weeksIn(service.sql)).length > 2)
        assert.deepEqual(await weeksIn(service.sql), [0, 1, 2])
      } finally {
        await jobs.stop()
        await service.close()
      }
    })
  })
})
