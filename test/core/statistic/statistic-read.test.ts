// The sources of a statistic, at one moment. The oracle tests its value.
import assert from 'node:assert/strict'
import { guarded } from '../../../src/base/database/pool.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import type { Pool } from '../../../src/base/database/sql.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import { dropEmptied } from '../../../src/core/sample/chunk.ts'
import { openGate } from '../../../src/core/sample/gate.ts'
import { rollUp } from '../../../src/core/statistic/rollup.ts'
import { deleteSamples, deleteSamplesAt, upsertSamples } from '../../../src/core/sample/sample.ts'
import { emptyRows, pushRow, storedMs } from '../../../src/core/sample/rows.ts'
import { markStale, staleMarks } from '../../../src/core/sample/stale.ts'
import { readStatistic } from '../../../src/core/statistic/statistic-read.ts'
import type { StatisticStream } from '../../../src/core/statistic/statistic.ts'
import type { Statistic } from '../../../src/core/statistic/statistic.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const nowMs = Date.parse('2026-05-20T12:00:00Z')
const oldMs = Date.parse('2026-04-02T00:00:00Z')
const reference = '2001-01-01T00:00:00'
const unbounded = { startMs: undefined, endMs: undefined }
const calendar = (size: number, unit: 'day' | 'month' | 'year') => openCalendar({ size, unit, reference }, 'UTC')

describe('core/statistic-read', () => {
  let database: TestDatabase
  let random: StatisticStream
  let monthly: StatisticStream

  beforeEach(async () => {
    database = await openTestDatabase()
    const [random_, monthly_] = await database.sql<{ key: number }[]>`
      with organization as (insert into organization (name) values ('o') returning key),
        folder as (
          insert into folder (organization_key, path) select key, '/Components' from organization returning key),
        cycle as (
          insert into cycle (organization_key, id, name, size, unit, reference)
          select key, 'month', 'month', 1, 'month', ${reference} from organization
          returning key),
        component as (
          insert into component (organization_key, id, name, folder_key, time_zone)
          select organization.key, 'c', 'c', folder.key, 'UTC' from organization, folder
          returning key)
      insert into stream (component_key, id, name, kind, value_type, base_cycle_key, position)
      select component.key, kind, kind, kind, 'DOUBLE', case when kind = 'interval' then cycle.key end, position
      from component, cycle, (values ('random', 1), ('interval', 2)) as made (kind, position)
      order by position
      returning key`
    random = { key: random_!.key, kind: 'random', valueType: 'DOUBLE', calendar: undefined }
    monthly = { key: monthly_!.key, kind: 'interval', valueType: 'DOUBLE', calendar: calendar(1, 'month') }
  })
  afterEach(() => database.drop())

  it('looks at streams with few samples together, not one after another', async () => {
    const made = await database.sql<{ key: number }[]>`
      insert into stream (component_key, id, name, kind, value_type, position)
      select component.key, 's' || n, 's' || n, 'random', 'DOUBLE', n + 2
      from component, generate_series(1, 200) as n
      order by n
      returning key`
    const streams = made.map(({ key }) => ({ ...random, key }))
    await database.sql`
      insert into sample (stream_key, time, num)
      select key, ${nowMs}, key from unnest(${made.map(({ key }) => key)}::integer[]) as key`
    let asked = 0
    const counted = guarded(database.sql, () => {
      asked += 1
    })
    const seconds = openCalendar({ size: 1, unit: 'second', reference }, 'UTC')
    const found = await readStatistic(counted, streams, seconds, 'avg', unbounded, 1000)
    assert.deepEqual(
      found.map(({ streamKey, value }) => [streamKey, value]),
      streams.map(({ key }) => [key, key]),
    )
    assert.ok(asked < 2 * streams.length, `${asked} statements`)
  })

  const write = ({ key, kind }: StatisticStream, ...samples: readonly (readonly [number, number, number?])[]) =>
    transaction(database.sql, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      const rows = emptyRows()
      for (const [timeMs, value, span = null] of samples)
        pushRow(rows, key, span, storedMs(kind, timeMs), 'DOUBLE', value)
      await markStale(sql, rows, claimedUntilMs)
      await upsertSamples(sql, rows)
    })
  const rollAll = async () => {
    while (await rollUp(database.sql, nowMs));
  }
  const read = async (
    stream: StatisticStream,
    statistic: Statistic,
    cycle = calendar(1, 'year'),
    pool = database.sql,
  ) => (await readStatistic(pool, [stream], cycle, statistic, unbounded, 10)).map(({ value }) => value)

  /** A pool in whose first transaction something happens after the snapshot was taken. */
  const interrupted = (happen: () => Promise<unknown>): Pool => {
    let hasHappened = false
    const late = <T extends object>(sql: T): T =>
      new Proxy(sql, {
        get: (target, name) => {
          const own = Reflect.get(target, name) as unknown
          if (name !== 'unsafe') return own
          return async (...given: unknown[]) => {
            if (!hasHappened) {
              hasHappened = true
              await happen()
            }
            return (own as (...args: unknown[]) => unknown)(...given)
          }
        },
      })
    return new Proxy(database.sql, {
      get: (sql, name) =>
        name === 'begin'
          ? (mode: string, work: (sql: object) => Promise<unknown>) => sql.begin(mode, (inner) => work(late(inner)))
          : (Reflect.get(sql, name) as unknown),
    })
  }

  it('averages intervals by how long they are', async () => {
    const days = (month: number) => new Date(Date.UTC(2025, month, 0)).getUTCDate()
    const ends = [1, 2].map((month) => Date.UTC(2025, month, 1))
    await write(monthly, [ends[0]!, 10, days(1) * 86_400], [ends[1]!, 20, days(2) * 86_400])
    const expected = [(10 * 31 + 20 * 28) / 59]
    assert.deepEqual(await read(monthly, 'avg'), expected)
    await rollAll()
    assert.deepEqual(await read(monthly, 'avg'), expected)
  })

  it('is of one moment: of an upload that comes while it is read, all is in it or nothing', async () => {
    await write(random, [oldMs, 1], [nowMs, 1])
    await rollAll()
    const pool = interrupted(() => write(random, [oldMs + 1, 1], [nowMs + 1, 1]))
    assert.deepEqual(await read(random, 'sum', undefined, pool), [2])
    assert.deepEqual(await read(random, 'sum'), [4])
  })

  it('has the samples of a chunk that is emptied while it is read', async () => {
    await write(random, [oldMs, 1], [nowMs, 1])
    let dropped: number | undefined
    const pool = interrupted(async () => {
      await transaction(database.sql, async (sql) => {
        const { claimedUntilMs } = await openGate(sql, 0)
        await deleteSamples(sql, random, { startMs: oldMs, endMs: oldMs + dayMs }, claimedUntilMs)
      })
      dropped = await dropEmptied(database.sql, nowMs)
    })
    assert.deepEqual(await read(random, 'sum', undefined, pool), [2])
    assert.equal(dropped, 0)
    assert.equal(await dropEmptied(database.sql, nowMs), 1)
    assert.deepEqual(await read(random, 'sum'), [1])
  })

  it('knows at once of samples that a script deletes by their times', async () => {
    for (const stream of [random, monthly]) {
      await write(stream, [oldMs, 1, 60], [oldMs + hourMs, 2, 60])
      await rollAll()
      await transaction(database.sql, async (sql) => {
        const { claimedUntilMs } = await openGate(sql, 0)
        await deleteSamplesAt(sql, stream, [oldMs + hourMs], claimedUntilMs)
      })
      assert.deepEqual(await read(stream, 'sum'), [1])
      await rollAll()
      assert.deepEqual(await read(stream, 'sum'), [1])
    }
  })

  it('ends with an error, and not never, where a cycle is so long that its edges are no exact numbers', async () => {
    await write(random, [oldMs, 1])
    await assert.rejects(read(random, 'sum', calendar(290_000, 'year')), /do not go back/)
    assert.deepEqual(await read(random, 'sum', calendar(10_000, 'year')), [1])
  })

  it('reads a sample anew that is written at the last millisecond of the claimed time', () => {
    const rows = { streamKeys: [1, 1], storedMs: [nowMs - 1, nowMs] }
    assert.deepEqual(staleMarks(rows, nowMs), { spans: ['{1}', `{${nowMs - 1}}`, `{${nowMs - 1}}`], groups: [] })
  })
})
