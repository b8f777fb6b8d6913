// Imports that run by themselves: once when they are due, whatever clocks and servers do.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { openService } from '../../src/service.ts'
import { quietLog } from '../support/database.ts'
import { addConnection, openImporting } from '../support/import.ts'
import type { Importing, ShownRun } from '../support/import.ts'
import { openTestClock, testMasterKey } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const ingestSql = `
  INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Clock', 's', NULL, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 v LONG)`

describe('an import with a schedule', function () {
  const start = Date.UTC(2026, 5, 1)
  const minute = 60_000
  const clock = openTestClock(start)
  let importing: Importing
  before(async () => {
    importing = await openImporting({}, clock)
  })
  after(() => importing.close())

  const make = (more: object = {}) =>
    importing.make({ externalSql: 'select 1', ingestSql, schedule: '*/5 * * * *', timeZone: 'UTC', ...more })
  const runsUntil = async (uid: string, count: number): Promise<readonly ShownRun[]> => {
    const allEnded = async () => {
      const runs = await importing.runs(uid)
      return runs.length >= count && runs.every(({ end }) => end !== null)
    }
    await eventually(allEnded)
    return importing.runs(uid)
  }
  /** Until the server has looked for what is due: another import, due before everything, has failed for want of a user. */
  const aLook = async () => {
    const uid = await importing.make({ externalSql: 'select 1', ingestSql: 'SELECT 1', schedule: '* * * * *' })
    await importing.service.sql`update connector set user_key = null where uid = ${uid}`
    await importing.service.sql`
      update import_state set next_run_at = 'epoch' from connector where connector.key = connector_key and uid = ${uid}`
    await eventually(async () => (await importing.runs(uid)).some(({ end }) => end !== null))
    await importing.ask('DELETE', `/api/connector/${uid}`)
  }
  /** Long enough that one which is due would have begun. */
  const aWhile = () => sleep(2500)

  it('runs once when it is due, makes up for what was missed by one run, and repeats nothing when the clock is set back', async () => {
    clock.set(start)
    const uid = await make()
    assert.equal((await importing.show(uid)).nextRun, start + 5 * minute)
    clock.set(start + 5 * minute)
    const [first] = await runsUntil(uid, 1)
    assert.deepEqual([first!.scheduled, first!.error, first!.start], [true, null, start + 5 * minute])
    const { nextRun, lastRunDate } = await importing.show(uid)
    assert.deepEqual([nextRun, lastRunDate], [start + 10 * minute, start + 5 * minute])
    clock.set(start + 62 * minute)
    await runsUntil(uid, 2)
    await aLook()
    assert.equal((await importing.runs(uid)).length, 2)
    assert.equal((await importing.show(uid)).nextRun, start + 65 * minute)
    clock.set(start + 30 * minute)
    await aLook()
    assert.equal((await importing.runs(uid)).length, 2)
    clock.set(start + 65 * minute)
    assert.equal((await runsUntil(uid, 3)).length, 3)
    await importing.ask('DELETE', `/api/connector/${uid}`)
  })

  it('runs once, however many servers there are', async () => {
    clock.set(start + 100 * minute)
    const { databaseUrl, service } = importing.service
    const other = await openService({
      config: { ...service.world.config, port: 0 },
      databaseUrl,
      masterKey: testMasterKey,
      clock,
      log: quietLog,
    })
    try {
      const uids = await Promise.all(Array.from({ length: 4 }, () => make()))
      clock.set(start + 105 * minute)
      for (const uid of uids) await runsUntil(uid, 1)
      await aWhile()
      for (const uid of uids) assert.equal((await importing.runs(uid)).length, 1)
      for (const uid of uids) await importing.ask('DELETE', `/api/connector/${uid}`)
    } finally {
      await other.close()
    }
  })

  it('runs once a day through both changes of the clocks, and when its clock is set back after a run', async () => {
    const day = 24 * 60 * minute
    // At 02:30 in Berlin: left out on 29 March 2026, twice on 25 October.
    for (const [from, due] of [
      [Date.UTC(2026, 2, 28, 12), [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 2, 30, 0, 30)]],
      [Date.UTC(2026, 9, 24, 12), [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 26, 1, 30)]],
    ] as const) {
      clock.set(from)
      const uid = await make({ schedule: '30 2 * * *', timeZone: 'Europe/Berlin' })
      assert.equal((await importing.show(uid)).nextRun, due[0])
      clock.set(due[0])
      const [first] = await runsUntil(uid, 1)
      assert.deepEqual([first!.start, (await importing.show(uid)).nextRun], [due[0], due[1]])
      // The hour that comes again, and a clock that is set back over the run: the next stays where it is.
      for (const ms of [due[0] + 60 * minute, due[0] - 10 * minute, due[0], due[0] + 90 * minute]) {
        clock.set(ms)
        await aLook()
        assert.deepEqual([(await importing.runs(uid)).length, (await importing.show(uid)).nextRun], [1, due[1]])
      }
      clock.set(due[1])
      assert.equal((await runsUntil(uid, 2)).length, 2)
      assert.equal((await importing.show(uid)).nextRun, due[1] + day)
      await importing.ask('DELETE', `/api/connector/${uid}`)
    }
  })

  it('runs once for all that came due while it ran, however its clock is set back and forward meanwhile', async () => {
    const dueMs = start + 155 * minute
    clock.set(dueMs - minute)
    // On a connection of its own, which it keeps busy.
    const connectionUid = await addConnection(importing.service, importing.externalUrl)
    const uid = await make({ connectionUid, externalSql: 'select 1 from pg_advisory_lock_shared(5)' })
    await onOwnConnection(importing.external, undefined, async (own) => {
      await own`select pg_advisory_lock(5)`
      clock.set(dueMs)
      await eventually(async () => (await importing.runs(uid))[0]?.state === 'running')
      for (const minutes of [120, -180, 30]) {
        clock.set(dueMs + minutes * minute)
        await aLook()
        assert.equal((await importing.runs(uid)).length, 1)
      }
      await own`select pg_advisory_unlock(5)`
    })
    // Times have passed in the clock's last state, too.
    assert.equal((await runsUntil(uid, 2)).length, 2)
    for (const minutes of [-180, 30]) {
      clock.set(dueMs + minutes * minute)
      await aLook()
      assert.equal((await importing.runs(uid)).length, 2)
    }
    assert.equal((await importing.show(uid)).nextRun, dueMs + 35 * minute)
    await importing.ask('DELETE', `/api/connector/${uid}`)
  })

  it('does not run while it is switched off, nor for what was due meanwhile', async () => {
    clock.set(start + 200 * minute)
    const uid = await make()
    await importing.ask('PUT', `/api/connector/${uid}`, { enabled: false })
    assert.equal((await importing.show(uid)).nextRun, null)
    clock.set(start + 231 * minute)
    await importing.ask('PUT', `/api/connector/${uid}`, { enabled: true })
    assert.equal((await importing.show(uid)).nextRun, start + 235 * minute)
    await aLook()
    assert.equal((await importing.runs(uid)).length, 0)
    await importing.ask('DELETE', `/api/connector/${uid}`)
  })

  it('goes on after a failure, counts failures in a row, and shows them in /metrics', async () => {
    clock.set(start + 300 * minute)
    const uid = await make({ externalSql: 'select nothing' })
    for (const count of [1, 2]) {
      clock.set(clock.now() + 5 * minute)
      await runsUntil(uid, count)
    }
    const { failures, lastError, lastRunDate } = await importing.show(uid)
    assert.deepEqual([failures, lastRunDate], [2, null])
    assert.match(lastError!, /nothing/)
    const { text } = await importing.service.get('/metrics')
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
    await importing.ask('PUT', `/api/connector/${uid}`, { externalSql: 'select 1' })
    assert.equal((await importing.run(uid)).success, true)
    assert.deepEqual([(await importing.show(uid)).failures, (await importing.show(uid)).lastError], [0, null])
    await eventually(async () => {
      const { text: later } = await importing.service.get('/metrics')
      const lines = later.split('\n').filter((line) => line.includes(uid))
      return (
        !lines.some((line) => line.includes('last_error')) && lines.some((line) => line.includes('last_run_seconds'))
      )
    })
  })

  it('keeps the runs of 90 days, and 1,000 of each', async () => {
    const { removeOldRuns } = await import('../../src/core/import/import-run.ts')
    const uid = await make({ schedule: null })
    const { sql } = importing.service
    const now = Date.now()
    await sql`
      insert into import_run (uid, connector_key, started_at, ended_at, scheduled)
      select 'r' || n, connector.key, now() - n * interval '1 hour', now() - n * interval '1 hour', true
      from connector, generate_series(3000, 1, -1) n where connector.uid = ${uid}`
    await removeOldRuns(sql, now)
    const { body } = await importing.ask('GET', `/api/connector/${uid}/run?limit=1000`)
    const { run, totalCount } = body as { run: ShownRun[]; totalCount: number }
    assert.deepEqual([totalCount, run[0]!.uid, run.at(-1)!.uid], [1000, 'r1', 'r1000'])
  })
})
