// Samples of one week that are overwritten again and again, in a real database, by the counts of its own statistics.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { weekMs } from '../../../src/core/sample/chunk.ts'
import { openPageRoom } from '../../../src/core/upkeep/page-room.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

const nowMs = Date.parse('2026-01-07T00:00:00Z')
const count = 12_000

describe('core/upkeep/page-room', () => {
  let database: TestDatabase
  let look: ReturnType<typeof openPageRoom>
  beforeEach(async () => {
    database = await openTestDatabase()
    look = openPageRoom()
  })
  afterEach(() => database.drop())

  /** Stores so many samples from there on, and reports them to the statistics at once. */
  const store = (fromMs = nowMs, samples = count) =>
    database.sql.unsafe(`
      select pg_stat_force_next_flush();
      insert into sample (stream_key, time, num)
      select n, to_timestamp(${fromMs / 1000}), random() from generate_series(1, ${samples}) as n
      on conflict (stream_key, time) do update set num = excluded.num`)
  const options = async () => {
    const rows = await database.sql`
      select reloptions::text as options from pg_class
      where oid in (select show_chunks('sample', newer_than => ${nowMs - weekMs}::timestamptz, older_than => ${nowMs + 3 * weekMs}::timestamptz))`
    return rows.map((row) => row['options'] as string | null)
  }
  const counts = async () => {
    const [row] = await database.sql<[{ overwritten: number; inPlace: number }]>`
      select sum(n_tup_upd)::integer as overwritten, sum(n_tup_hot_upd)::integer as "inPlace"
      from pg_stat_user_tables
      where relid in (select show_chunks('sample'))`
    return row
  }
  const lookAround = async (work: () => PromiseLike<unknown>) => {
    await look(database.sql, nowMs)
    await work()
    return look(database.sql, nowMs)
  }

  it('leaves room in a chunk whose samples are overwritten, so that they stay in their pages from the second time on', async () => {
    await store()
    assert.equal(await lookAround(() => store()), 1)
    assert.deepEqual(await options(), ['{fillfactor=50}'])
    assert.equal(await lookAround(() => store()), 0)
    await store()
    const before = await counts()
    for (let n = 0; n < 3; n += 1) await store()
    const after = await counts()
    const inPlace = (after.inPlace - before.inPlace) / (after.overwritten - before.overwritten)
    assert.ok(inPlace > 0.9, `${inPlace}`)
  })

  it('leaves none where as many samples are added, where few are overwritten, or in a week that has passed', async () => {
    await store()
    const both = async () => {
      await store()
      await store(nowMs + 1, count)
    }
    assert.equal(await lookAround(both), 0)
    assert.equal(await lookAround(() => store(nowMs, 1000)), 0)
    await look(database.sql, nowMs + weekMs)
    await store()
    assert.equal(await look(database.sql, nowMs + weekMs), 0)
    assert.deepEqual(await options(), [null])
  })

  it('leaves none any more when more is added than overwritten, or the week has passed', async () => {
    await store()
    await lookAround(() => store())
    assert.equal(await lookAround(() => store(nowMs + 1)), 1)
    assert.deepEqual(await options(), [null])
    await lookAround(() => store())
    assert.deepEqual(await options(), ['{fillfactor=50}'])
    assert.equal(await look(database.sql, nowMs + weekMs), 1)
    assert.deepEqual(await options(), [null])
  })

  it('keeps nobody waiting, nor waits for long, and tries again', async () => {
    await store()
    const [chunk] = await database.sql<[{ name: string }]>`
      select tableoid::regclass::text as name from sample limit 1`
    await transaction(database.sql, async (sql) => {
      await sql.unsafe(`lock table ${chunk.name} in share update exclusive mode`)
      assert.equal(await lookAround(() => store()), 0)
    })
    assert.equal(await lookAround(() => store()), 1)
    await transaction(database.sql, async (sql) => {
      await sql`insert into sample (stream_key, time, num) values (0, ${nowMs}, 1)`
      assert.equal(await lookAround(() => store(nowMs + 1)), 1)
    })
  })
})
