// Runs of imports into weeks that have no chunk yet, held open after they have stored: nobody else waits for them to make
// another chunk.
import assert from 'node:assert/strict'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { openImporting } from '../support/import.ts'
import type { Importing, RunAnswer } from '../support/import.ts'
import { eventually } from '../support/within.ts'

const weekMs = 7 * 86_400_000
const t0 = Date.UTC(2015, 0, 1)

const into = (rest: string) => `
  INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT meter, 'kwh', at, kwh
  FROM CSV_TABLE(@JDBC_RESULT) WITH (1 meter STRING, 2 at LONG, 3 kwh DOUBLE)${rest}`

describe('an import that is held open after it has stored into new weeks', () => {
  let importing: Importing
  /** Each test has weeks of its own. */
  let weeks = 0
  before(async () => {
    importing = await openImporting({ importTimeoutMs: 120_000 })
    const first = await importing.service.put(`/api/feed?compId=Upload&kwh=1&time=${t0}`)
    assert.equal(first.status, 200)
  })
  after(() => importing.close())

  const weekAt = (n: number) => t0 + (weeks + n) * weekMs + 3_600_000

  /** Whether a run has stored, and waits to write its end. */
  const stands = async () => {
    const waiting = await importing.service.sql`
      select from pg_locks where relation = 'import_state'::regclass and not granted`
    return waiting.length > 0
  }

  /** Starts to run it; `look` sees it stand before its commit. */
  const heldOpen = async (uid: string, look: () => Promise<void>): Promise<RunAnswer> => {
    let running: Promise<RunAnswer> | undefined
    await onOwnConnection(importing.service.sql, undefined, async (own) => {
      await own`begin`
      // The last that a run writes.
      await own`lock table import_state in exclusive mode`
      running = importing.run(uid)
      await eventually(stands)
      await look()
      assert.equal(await stands(), true)
      await own`rollback`
    })
    return running!
  }

  const chunkOf = async (timeMs: number) => {
    const [row] = await importing.service.sql<[{ count: number }]>`
      select count(*) from timescaledb_information.chunks
      where hypertable_name = 'sample' and range_start <= ${timeMs} and range_end > ${timeMs}`
    return row.count
  }

  for (const [way, ingestSql, isStored] of [
    ['as they come', into(''), false],
    ['after they were compared with stored ones', into(''), true],
    ['row by row', `${into('')}; DELETE FROM SAMPLE WHERE CID = 'Upload' AND ID = 'none' AND TIME = 1`, false],
    [
      'beside streams that it reads',
      into(` r JOIN Stream s ON s.cid = 'Upload' AND s.id = 'kwh' AND s.lastValue IS NOT NULL`),
      false,
    ],
  ] as const)
    it(`lets uploads into other new weeks be acknowledged, where its rows are stored ${way}`, async () => {
      weeks += 10
      const meter = `M${weeks}`
      if (isStored) await importing.service.put(`/api/feed?compId=${meter}&kwh=7&time=${weekAt(0)}`)
      const times = [weekAt(0), weekAt(0) + 1000, weekAt(1), weekAt(3)]
      const uid = await importing.make({
        externalSql: `select '${meter}', at, 5 from unnest(array[${times.join()}]) as at order by 2`,
        ingestSql,
      })
      const answer = await heldOpen(uid, async () => {
        assert.equal(await chunkOf(weekAt(2)), 0)
        const { status, text } = await importing.service.put(`/api/feed?compId=Upload&kwh=1&time=${weekAt(2)}`)
        assert.equal(status, 200, text)
        assert.equal(await chunkOf(weekAt(2)), 1)
      })
      assert.equal(answer.success, true, answer.message)
      assert.deepEqual(
        await importing.samples(meter, 'kwh'),
        times.map((ms) => [ms, 5]),
      )
    })
})
