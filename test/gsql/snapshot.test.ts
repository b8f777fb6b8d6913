// Every statement of a script reads the state before the script, whatever others do meanwhile.
import assert from 'node:assert/strict'
import type { Pool } from '../../src/base/database/sql.ts'
import { dropEmptied } from '../../src/core/sample/chunk.ts'
import { fillDatabase } from './data.ts'
import { nowMs, openScripts, rowsOf } from './scripts.ts'
import type { Scripts } from './scripts.ts'

describe('the reading of a script', () => {
  let scripts: Scripts
  before(async () => {
    scripts = await openScripts()
    await fillDatabase(scripts.sql)
  })
  after(() => scripts.close())

  /** The readers' connections, where something happens before each reading of cycles and statistics. */
  const readingAfter = (meanwhile: () => Promise<unknown>): Pool =>
    new Proxy(scripts.sql, {
      get: (target, property) =>
        property === 'begin'
          ? async (mode: string, work: () => Promise<unknown>) => {
              await meanwhile()
              return target.begin(mode, work)
            }
          : (Reflect.get(target, property) as unknown),
    })

  it('is of one moment, its statistics too, while somebody uploads', async () => {
    let uploads = 0
    const upload = async () => {
      uploads += 1
      await scripts.sql`
        insert into sample (stream_key, time, num)
        select 1, ${nowMs}::timestamptz - n * interval '1 second', 100 * n from generate_series(1, 9) as n
        on conflict do nothing`
    }
    const temp = "cid = 'boiler' AND id = 'temp'"
    const script = `
      SELECT sample(Range(last=2), cycleId='day', stat='nongapcount'), sample(Range(last=2), cycleId='day', stat='sum'),
        (SELECT Count(*) FROM (SELECT sample(Range(sd=0, ed=now)) FROM Stream WHERE ${temp}))
      FROM Stream WHERE ${temp} ORDER BY time DESC;`
    const before = [
      [3, 67.5, 4],
      [2, 42, 4],
    ]
    assert.deepEqual(await rowsOf(scripts.run(script, { readSql: readingAfter(upload) })), before)
    assert.equal(uploads, 1)
    assert.notDeepEqual(await rowsOf(scripts.run(script)), before)
  })

  it('keeps the samples of a chunk that would be dropped meanwhile', async () => {
    const oldMs = Date.UTC(2025, 5, 2)
    await scripts.sql`
      insert into sample (stream_key, time, num)
      select 6, ${oldMs}::timestamptz + n * interval '1 second', n from generate_series(1, 50) as n`
    let dropped = -1
    const drop = async () => {
      await scripts.sql`delete from sample where stream_key = 6`
      dropped = await dropEmptied(scripts.sql, nowMs)
    }
    const script = `
      SELECT sample(cycleId='day', stat='nongapcount'),
        (SELECT Count(*) FROM (SELECT sample(Range(sd=0, ed=now)) FROM Stream WHERE id = 'empty'))
      FROM Stream WHERE id = 'empty'`
    assert.deepEqual(await rowsOf(scripts.run(script, { readSql: readingAfter(drop) })), [[50, 50]])
    assert.equal(dropped, 0)
    assert.equal(await dropEmptied(scripts.sql, nowMs), 1)
    assert.deepEqual(await rowsOf(scripts.run(script)), [])
  })
})
