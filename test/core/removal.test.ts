import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { haveSamples, queueRemoval, removeSome } from '../../src/core/removal.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'

const firstMs = Date.parse('2026-01-01T00:00:00Z')

describe('core/removal', () => {
  let database: TestDatabase

  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(async () => {
    await database.sql`truncate sample, point_sample, archive, removal`
  })

  /** A sample a day, so that they lie in many chunks. */
  const fill = (streamKey: number, days: number) => database.sql`
    insert into sample (stream_key, time, num)
    select ${streamKey}, ${firstMs}::timestamptz + n * interval '1 day', n from generate_series(1, ${days}) as n`
  const counts = async () => {
    const rows = await database.sql<{ key: number; n: number }[]>`
      select stream_key as key, count(*)::integer as n from sample group by 1 order by 1`
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
  }
  const queue = (...keys: readonly number[]) =>
    transaction(database.sql, async (sql) => {
      for (const key of keys) await queueRemoval(sql, key)
    })

  it('does nothing when nothing is queued', async () => {
    await fill(1, 3)
    assert.deepEqual(await removeSome(database.sql), { streams: 0, samples: 0 })
    assert.deepEqual(await counts(), { 1: 3 })
  })

  it('removes no more than a batch at a time, oldest first, and nothing of other streams', async () => {
    await fill(1, 25)
    await fill(2, 25)
    await queue(1)
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 0, samples: 10 })
    const [left] = await database.sql<[{ oldest: number }]>`
      select min(num)::integer as oldest from sample where stream_key = 1`
    assert.equal(left.oldest, 11)
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 0, samples: 10 })
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 1, samples: 5 })
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 0, samples: 0 })
    assert.deepEqual(await counts(), { 2: 25 })
  })

  it('removes many small streams in one batch, and stops within one where the batch is full', async () => {
    for (const key of [1, 2, 3, 4]) await fill(key, 4)
    await fill(9, 4)
    await queue(4, 2, 1, 3, 8)
    assert.deepEqual(await removeSome(database.sql, 10), { streams: 2, samples: 10 })
    assert.deepEqual(await counts(), { 3: 2, 4: 4, 9: 4 })
    assert.deepEqual(await removeSome(database.sql, 6), { streams: 1, samples: 6 })
    assert.deepEqual(await counts(), { 9: 4 })
    assert.deepEqual(await removeSome(database.sql, 6), { streams: 2, samples: 0 })
    assert.deepEqual([...(await database.sql`select from removal`)], [])
  })

  it('takes the one sample of point streams, and streams without any, together', async () => {
    await database.sql`
      insert into point_sample (stream_key, time, num) values (1, now(), 1), (2, now(), 2), (3, now(), 3)`
    await queue(1, 2, 7)
    assert.deepEqual(await removeSome(database.sql), { streams: 3, samples: 0 })
    const left = await database.sql`select stream_key as key from point_sample`
    assert.deepEqual([...left], [{ key: 3 }])
  })

  it('lets several processes be at it at once', async () => {
    for (const key of [1, 2, 3]) await fill(key, 30)
    await queue(1, 2, 3)
    const work = async () => {
      for (;;) {
        const { streams, samples } = await removeSome(database.sql, 7)
        if (streams + samples === 0) return
      }
    }
    await Promise.all([work(), work(), work()])
    await work()
    assert.deepEqual(await counts(), {})
    assert.deepEqual([...(await database.sql`select from removal`)], [])
  })

  it('knows whether any of some streams has samples', async () => {
    await fill(1, 1)
    await database.sql`insert into point_sample (stream_key, time) values (2, now())`
    assert.equal(await haveSamples(database.sql, []), false)
    assert.equal(await haveSamples(database.sql, [3, 4]), false)
    assert.equal(await haveSamples(database.sql, [3, 1]), true)
    assert.equal(await haveSamples(database.sql, [3, 2]), true)
  })

  it('counts archived samples as samples', async () => {
    await database.sql`
      insert into archive (stream_key, bucket, first_time, last_time, samples, filled)
      values (1, ${firstMs}, ${firstMs}, ${firstMs}, 1, 1)`
    assert.equal(await haveSamples(database.sql, [3, 1]), true)
    assert.equal(await haveSamples(database.sql, [3]), false)
  })
})
