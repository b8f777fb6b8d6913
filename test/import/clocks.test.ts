// Imports in servers whose clocks differ: their times are those of the database, which they share.
import assert from 'node:assert/strict'
import { sharedNow, systemClock } from '../../src/base/clock.ts'
import { openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'
import { openTestClock } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const start = Date.UTC(2026, 5, 1)
const minute = 60_000

describe('imports, in a server whose clock is ahead,', function () {
  const shared = openTestClock(start)
  let importing: Importing
  before(async () => {
    importing = await openImporting(
      {},
      { now: () => shared.now() + 7 * minute, ofDatabase: () => Promise.resolve(shared.now()) },
    )
  })
  after(() => importing.close())

  it('begin, end, and come next by the clock of the database', async () => {
    shared.set(start)
    const uid = await importing.make({
      externalSql: 'select 1',
      ingestSql: `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('Clocks', 'x', 1, 1)`,
      schedule: '*/5 * * * *',
      timeZone: 'UTC',
    })
    assert.equal((await importing.show(uid)).nextRun, start + 5 * minute)
    shared.set(start + minute)
    const { run } = await importing.run(uid)
    assert.deepEqual([run.start, run.end, run.elapsed], [start + minute, start + minute, 0])
    shared.set(start + 5 * minute)
    await eventually(async () => {
      const runs = await importing.runs(uid)
      return runs.length > 1 && runs.every(({ end }) => end !== null)
    })
    const [scheduled] = await importing.runs(uid)
    assert.deepEqual([scheduled!.scheduled, scheduled!.start], [true, start + 5 * minute])
    const { lastRunDate, nextRun } = await importing.show(uid)
    assert.deepEqual([lastRunDate, nextRun], [start + 5 * minute, start + 10 * minute])
  })

  it('have the clock of the database where the server has its own', async () => {
    const { sql } = importing.service
    const [before] = await sql<[{ ms: number }]>`select clock_timestamp() as ms`
    const nowMs = await sharedNow(systemClock, sql)
    const [after] = await sql<[{ ms: number }]>`select clock_timestamp() as ms`
    assert.ok(Number.isInteger(nowMs) && Math.floor(before.ms) <= nowMs && nowMs <= after.ms, String(nowMs))
  })
})
