// The two ways of saying which times were touched: of rows in memory, and of rows that are in the database.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import type { Transaction } from '../../../src/base/database/sql.ts'
import { markStale, markStaleIn, staleMarks } from '../../../src/core/sample/stale.ts'
import { openTestDatabase } from '../../support/database.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openRandom } from '../../support/random.ts'

const hourMs = 3_600_000

describe('core/sample/stale', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  const marked = async (mark: (sql: Transaction) => Promise<void>) => {
    await database.sql`truncate stale_mark, stale_group`
    await transaction(database.sql, mark)
    return [
      ...(await database.sql`select stream_key, first_time, last_time from stale order by stream_key, first_time`),
    ]
  }

  it('marks the same spans for samples in the database as for rows in memory', async () => {
    const random = openRandom(7)
    for (const [middleMs, stepMs] of [
      [0, hourMs],
      [Date.UTC(2026, 0, 1), hourMs / 2],
      [Date.parse('0001-01-02T00:00:00Z'), 1000],
      [Date.parse('9999-12-01T00:00:00Z'), hourMs],
    ] as const) {
      const rows = { streamKeys: [] as number[], storedMs: [] as number[] }
      for (let row = 0; row < 60; row += 1) {
        rows.streamKeys.push(1 + random.integer(3))
        rows.storedMs.push(middleMs + stepMs * (random.integer(200) - (middleMs < 0 ? 0 : 100)) + random.integer(2))
      }
      const claimedUntilMs = middleMs + stepMs * 40
      const inMemory = await marked((sql) => markStale(sql, rows, claimedUntilMs))
      const inDatabase = await marked(async (sql) => {
        await sql`
          create temp table touched on commit drop as
          select * from unnest(${rows.streamKeys}::integer[], ${rows.storedMs}::bigint[]) as touched (stream_key, ms)`
        await markStaleIn(sql, 'select stream_key, ms from touched', claimedUntilMs)
      })
      assert.notEqual(inMemory.length, 0)
      assert.deepEqual(inDatabase, inMemory)
    }
  })

  const atHour = (hour: number, ...keys: readonly number[]) => ({
    streamKeys: [...keys],
    storedMs: keys.map((key) => hour * hourMs + key),
  })
  const arrayOf = (values: readonly number[]) => `{${values.join(',')}}`
  const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)

  it('marks streams of the same hours by one row when they are eight or more, and a thousand of them at most', () => {
    const seven = atHour(5, ...keysFrom(1, 7))
    assert.deepEqual(staleMarks(seven, 6 * hourMs), {
      spans: ['{1,2,3,4,5,6,7}', arrayOf(seven.storedMs), arrayOf(seven.storedMs)],
      groups: [],
    })
    const many = atHour(5, ...keysFrom(1, 1001), 5000)
    many.storedMs[1001] = 3 * hourMs
    assert.deepEqual(staleMarks(many, 6 * hourMs), {
      spans: ['{5000}', `{${3 * hourMs}}`, `{${3 * hourMs}}`],
      groups: [
        [arrayOf(keysFrom(1, 1000)), `${5 * hourMs}`, `${6 * hourMs}`],
        ['{1001}', `${5 * hourMs}`, `${6 * hourMs}`],
      ],
    })
  })

  it('marks by 32 rows of hours at most, which every reader looks at, and the rest stream by stream', () => {
    const streamKeys: number[] = []
    const storedMs: number[] = []
    for (const key of keysFrom(1, 8))
      for (const nth of keysFrom(0, 40)) {
        streamKeys.push(key)
        storedMs.push(nth * 7 * hourMs)
      }
    const { spans, groups } = staleMarks({ streamKeys, storedMs }, 1000 * hourMs)
    assert.deepEqual([groups.length, spans![0].split(',').length], [32, 64])
  })

  it('marks nothing at or after the claimed moment', () => {
    assert.deepEqual(staleMarks(atHour(5, 1, 2, 3), 5 * hourMs), { spans: undefined, groups: [] })
  })

  it('marks the same whether rows are sorted or not', () => {
    const random = openRandom(3)
    const streamKeys = Array.from({ length: 200 }, (_, at) => Math.floor(at / 10))
    const storedMs = streamKeys.map((_, at) => (at % 10) * 5 * hourMs + random.integer(hourMs))
    const order = streamKeys
      .map((_, at) => at)
      .toSorted((a, b) => streamKeys[a]! - streamKeys[b]! || storedMs[b]! - storedMs[a]!)
    const backwards = { streamKeys: order.map((at) => streamKeys[at]!), storedMs: order.map((at) => storedMs[at]!) }
    const marks = staleMarks({ streamKeys, storedMs }, 40 * hourMs)
    assert.notEqual(marks.groups.length, 0)
    assert.deepEqual(staleMarks(backwards, 40 * hourMs), marks)
  })

  it('shows each stream of a row in the view, with its hours to the last millisecond', async () => {
    const rows = atHour(5, ...keysFrom(1, 8))
    const shown = await marked((sql) => markStale(sql, rows, 6 * hourMs))
    const expected = rows.streamKeys.map((key) => ({
      stream_key: key,
      first_time: 5 * hourMs,
      last_time: 6 * hourMs - 1,
    }))
    assert.deepEqual(shown, expected)
  })

  it('lets the version before mark and mend by the name of the view, which leaves what was marked together', async () => {
    await marked((sql) => markStale(sql, atHour(5, ...keysFrom(1, 8)), 6 * hourMs))
    const time = (ms: number) => new Date(ms).toISOString()
    await database.sql`insert into stale (stream_key, first_time, last_time) values (1, ${time(0)}, ${time(9)}), (2, ${time(1)}, ${time(2)})`
    await database.sql`update stale set first_time = ${time(5)} where stream_key = 1 and first_time < ${time(5)} and last_time >= ${time(5)}`
    await database.sql`delete from stale where stream_key = any('{1,2,3}') and last_time < ${time(5)}`
    assert.deepEqual(
      [...(await database.sql`select stream_key, first_time, last_time from stale where stream_key < 3 order by 1, 2`)],
      [
        { stream_key: 1, first_time: 5, last_time: 9 },
        { stream_key: 1, first_time: 5 * hourMs, last_time: 6 * hourMs - 1 },
        { stream_key: 2, first_time: 5 * hourMs, last_time: 6 * hourMs - 1 },
      ],
    )
  })
})
