// Imports that run by themselves: once when they are due. schedule.load.ts has clocks that change and other servers.
import assert from 'node:assert/strict'
import type { ShownRun } from '../support/import.ts'
import { eventually } from '../support/within.ts'
import { minute, openScheduled, start } from './scheduled.ts'

describe('an import with a schedule', function () {
  const { clock, importing, make, runsUntil, aLook } = openScheduled()

  it('runs once when it is due, makes up for what was missed by one run, and repeats nothing when the clock is set back', async () => {
    clock.set(start)
    const uid = await make()
    assert.equal((await importing().show(uid)).nextRun, start + 5 * minute)
    clock.set(start + 5 * minute)
    const [first] = await runsUntil(uid, 1)
    assert.deepEqual([first!.scheduled, first!.error, first!.start], [true, null, start + 5 * minute])
    const { nextRun, lastRunDate } = await importing().show(uid)
    assert.deepEqual([nextRun, lastRunDate], [start + 10 * minute, start + 5 * minute])
    clock.set(start + 62 * minute)
    await runsUntil(uid, 2)
    await aLook()
    assert.equal((await importing().runs(uid)).length, 2)
    assert.equal((await importing().show(uid)).nextRun, start + 65 * minute)
    clock.set(start + 30 * minute)
    await aLook()
    assert.equal((await importing().runs(uid)).length, 2)
    clock.set(start + 65 * minute)
    assert.equal((await runsUntil(uid, 3)).length, 3)
    await importing().ask('DELETE', `/api/connector/${uid}`)
  })

  it('has @LAST_RUN_DATE from the last run before it, where a clock that was ahead has kept one after it', async () => {
    clock.set(start + 100 * minute)
    const uid = await make({
      schedule: null,
      ingestSql: `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('Ahead', 'last', 1, @LAST_RUN_DATE)`,
    })
    const lastOf = async (minutes: number) => {
      clock.set(start + minutes * minute)
      assert.equal((await importing().run(uid)).message, '')
      const [sample] = await importing().samples('Ahead', 'last')
      const { lastRunDate } = await importing().show(uid)
      return [sample![1] === 0 ? 0 : ((sample![1] as number) - start) / minute, (lastRunDate! - start) / minute]
    }
    assert.deepEqual(await lastOf(300), [0, 300])
    assert.deepEqual(await lastOf(100), [0, 100])
    assert.deepEqual(await lastOf(105), [100, 105])
    assert.deepEqual(await lastOf(9000), [105, 9000])
    assert.deepEqual(await lastOf(110), [105, 110])
    assert.deepEqual(await lastOf(115), [110, 115])
    await importing().ask('DELETE', `/api/connector/${uid}`)
  })

  it('runs at the next time of its schedule once a clock that was far ahead is right again', async () => {
    clock.set(start + 120 * minute)
    const uid = await make()
    clock.set(start + 90_000 * minute)
    await runsUntil(uid, 1)
    assert.equal((await importing().show(uid)).nextRun, start + 90_005 * minute)
    clock.set(start + 126 * minute)
    await aLook()
    assert.deepEqual(
      [(await importing().show(uid)).nextRun, (await importing().runs(uid)).length],
      [start + 130 * minute, 1],
    )
    clock.set(start + 130 * minute)
    assert.equal((await runsUntil(uid, 2)).length, 2)
    await importing().ask('DELETE', `/api/connector/${uid}`)
  })

  it('does not run while it is switched off, nor for what was due meanwhile', async () => {
    clock.set(start + 200 * minute)
    const uid = await make()
    await importing().ask('PUT', `/api/connector/${uid}`, { enabled: false })
    assert.equal((await importing().show(uid)).nextRun, null)
    clock.set(start + 231 * minute)
    await importing().ask('PUT', `/api/connector/${uid}`, { enabled: true })
    assert.equal((await importing().show(uid)).nextRun, start + 235 * minute)
    await aLook()
    assert.equal((await importing().runs(uid)).length, 0)
    await importing().ask('DELETE', `/api/connector/${uid}`)
  })

  it('goes on after a failure, counts failures in a row, and shows them in /metrics', async () => {
    clock.set(start + 300 * minute)
    const uid = await make({ externalSql: 'select nothing' })
    for (const count of [1, 2]) {
      clock.set(clock.now() + 5 * minute)
      await runsUntil(uid, count)
    }
    const { failures, lastError, lastRunDate } = await importing().show(uid)
    assert.deepEqual([failures, lastRunDate], [2, null])
    assert.match(lastError!, /nothing/)
    const { text } = await importing().service.get('/metrics')
    assert.match(text, /^coppice_import_failures 2$/m)
    assert.match(text, /^coppice_imports_failing 1$/m)
    const shown = [...text.matchAll(/^coppice_import_connector_(\w+)\{connector="([^"]*)"(?:,error="(.*)")?\} (.*)$/gm)]
      .filter(([, , connector]) => connector === uid)
      .map(([, name, , error, value]) => [name, error, value])
    const nextRun = String((start + 315 * minute) / 1000)
    assert.deepEqual(shown, [
      ['failures', undefined, '2'],
      ['next_run_seconds', undefined, nextRun],
      ['last_error', "External SQL, line #, column #: column '…' does not exist", '1'],
    ])
    await importing().ask('PUT', `/api/connector/${uid}`, { externalSql: 'select 1' })
    assert.equal((await importing().run(uid)).success, true)
    assert.deepEqual([(await importing().show(uid)).failures, (await importing().show(uid)).lastError], [0, null])
    await eventually(async () => {
      const { text: later } = await importing().service.get('/metrics')
      const lines = later.split('\n').filter((line) => line.includes(uid))
      return (
        !lines.some((line) => line.includes('last_error')) && lines.some((line) => line.includes('last_run_seconds'))
      )
    })
  })

  it('keeps the runs of 90 days, and 1,000 of each', async () => {
    const { removeOldRuns } = await import('../../src/core/import/import-run.ts')
    const uid = await make({ schedule: null })
    const { sql } = importing().service
    const now = Date.now()
    await sql`
      insert into import_run (uid, connector_key, started_at, ended_at, scheduled)
      select 'r' || n, connector.key, now() - n * interval '1 hour', now() - n * interval '1 hour', true
      from connector, generate_series(3000, 1, -1) n where connector.uid = ${uid}`
    const left = async () => (await sql`select from import_run`).length
    const before = await left()
    assert.equal(await removeOldRuns(sql, now, 300), true)
    assert.equal(await left(), before - 600)
    while (await removeOldRuns(sql, now, 300));
    const { body } = await importing().ask('GET', `/api/connector/${uid}/run?limit=1000`)
    const { run, totalCount } = body as { run: ShownRun[]; totalCount: number }
    assert.deepEqual([totalCount, run[0]!.uid, run.at(-1)!.uid], [1000, 'r1', 'r1000'])
  })
})
