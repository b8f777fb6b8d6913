// Imports that run by themselves: once when they are due, whatever clocks and servers do.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import { openService } from '../../src/service.ts'
import { quietLog } from '../support/database.ts'
import { addConnection } from '../support/import.ts'
import { testMasterKey } from '../support/service.ts'
import { eventually } from '../support/within.ts'
import { minute, openScheduled, start } from './scheduled.ts'

describe('an import with a schedule, whatever clocks and servers do,', function () {
  const { clock, importing, make, runsUntil, aLook } = openScheduled()
  /** Long enough that one which is due would have begun. */
  const aWhile = () => sleep(2500)

  it('runs once, however many servers there are', async () => {
    clock.set(start + 100 * minute)
    const { databaseUrl, service } = importing().service
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
      for (const uid of uids) assert.equal((await importing().runs(uid)).length, 1)
      for (const uid of uids) await importing().ask('DELETE', `/api/connector/${uid}`)
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
      assert.equal((await importing().show(uid)).nextRun, due[0])
      clock.set(due[0])
      const [first] = await runsUntil(uid, 1)
      assert.deepEqual([first!.start, (await importing().show(uid)).nextRun], [due[0], due[1]])
      // The hour that comes again, and a clock that is set back over the run: the next stays where it is.
      for (const ms of [due[0] + 60 * minute, due[0] - 10 * minute, due[0], due[0] + 90 * minute]) {
        clock.set(ms)
        await aLook()
        assert.deepEqual([(await importing().runs(uid)).length, (await importing().show(uid)).nextRun], [1, due[1]])
      }
      clock.set(due[1])
      assert.equal((await runsUntil(uid, 2)).length, 2)
      assert.equal((await importing().show(uid)).nextRun, due[1] + day)
      await importing().ask('DELETE', `/api/connector/${uid}`)
    }
  })

  it('runs once for all that came due while it ran, however its clock is set back and forward meanwhile', async () => {
    const dueMs = start + 155 * minute
    clock.set(dueMs - minute)
    // On a connection of its own, which it keeps busy.
    const connectionUid = await addConnection(importing().service, importing().externalUrl)
    const uid = await make({ connectionUid, externalSql: 'select 1 from pg_advisory_lock_shared(5)' })
    await onOwnConnection(importing().external, undefined, async (own) => {
      await own`select pg_advisory_lock(5)`
      clock.set(dueMs)
      await eventually(async () => (await importing().runs(uid))[0]?.state === 'running')
      for (const minutes of [120, -180, 30]) {
        clock.set(dueMs + minutes * minute)
        await aLook()
        assert.equal((await importing().runs(uid)).length, 1)
      }
      await own`select pg_advisory_unlock(5)`
    })
    // Times have passed in the clock's last state, too.
    assert.equal((await runsUntil(uid, 2)).length, 2)
    // By less than a time of the schedule.
    for (const minutes of [27, 30]) {
      clock.set(dueMs + minutes * minute)
      await aLook()
      assert.equal((await importing().runs(uid)).length, 2)
    }
    assert.equal((await importing().show(uid)).nextRun, dueMs + 35 * minute)
    await importing().ask('DELETE', `/api/connector/${uid}`)
  })
})
