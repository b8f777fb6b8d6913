import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from '../../../src/base/database/sql.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import {
  afterClosing,
  closeAllGates,
  closeCommonGate,
  closeGate,
  closeOwnGates,
  noteChange,
  patientTransaction,
} from '../../../src/core/sample/catalog-change.ts'
import { inOwnGate, latestSerial, openGate } from '../../../src/core/sample/gate.ts'
import type { Gate, KnownMoment } from '../../../src/core/sample/gate.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/within.ts'

describe('core/gate', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  /** Stays inside a transaction until it is let go. */
  const hold = async (enter: (sql: Transaction) => Promise<unknown>) => {
    let letGo = () => {}
    let ended: Promise<void> | undefined
    await new Promise<void>((entered, failed) => {
      ended = transaction(database.sql, async (sql) => {
        await enter(sql)
        const released = new Promise<void>((resolve) => {
          letGo = resolve
        })
        entered()
        await released
      })
      ended.catch(failed)
    })
    return async () => {
      letGo()
      await ended
    }
  }

  const close = (sql: Transaction) => closeGate(sql, 1)
  const closeAll = (sql: Transaction) => closeCommonGate(sql)
  const enter = (sql: Transaction) => openGate(sql, 0)
  /** Long work of organization 1 in its own gate. */
  const work = async (_sql: Transaction, enterOwn: (known: KnownMoment) => Promise<Gate>) => enterOwn({ serial: 0 })
  const inOwn = (then: (sql: Transaction, gate: Gate) => Promise<unknown> = async () => {}) =>
    inOwnGate(
      (inside) => transaction(database.sql, inside),
      1,
      async (sql, enterOwn) => {
        const gate = await work(sql, enterOwn)
        await then(sql, gate)
        return gate
      },
    )

  it('is not closed while an upload is long under way', async () => {
    const end = await hold(enter)
    await assert.rejects(transaction(database.sql, closeAll), { code: 'busy' })
    await end()
    await transaction(database.sql, closeAll)
  })

  it('is closed for other organizations while one has a long upload under way, and not for it', async () => {
    await inOwn(async () => {
      await assert.rejects(transaction(database.sql, close), { code: 'busy' })
      await transaction(database.sql, (sql) => closeGate(sql, 2))
      await transaction(database.sql, (sql) => closeCommonGate(sql))
      assert.deepEqual(await transaction(database.sql, (sql) => closeOwnGates(sql, [1, 2])), [2])
    })
    await transaction(database.sql, close)
  })

  it('is closed for chunks, and for servers of the version before, when no long upload is under way at all', async () => {
    await inOwn(async () => {
      await assert.rejects(transaction(database.sql, closeAllGates), { code: 'busy' })
    })
    await transaction(database.sql, closeAllGates)
  })

  it('keeps the uploads of an organization out that is being changed, and at their end those of all while it is closed to all', async () => {
    const end = await hold(close)
    let isInside = false
    const own = inOwn(async () => {
      isInside = true
    })
    await Promise.race([own, sleep(300)])
    assert.equal(isInside, false)
    await end()
    await own
    await inOwn(() => transaction(database.sql, (sql) => closeGate(sql, 2)))
    const endOther = await hold(closeAll)
    let isDone = false
    isInside = false
    const other = inOwn(async (sql) => {
      // Whatever the work has set, it waits at the end.
      await sql`set local lock_timeout = '10ms'`
      isInside = true
    }).then(() => (isDone = true))
    await eventually(async () => isInside)
    await Promise.race([other, sleep(300)])
    assert.equal(isDone, false)
    await endOther()
    await other
  })

  it('has a long upload begin anew, with what was written undone, when more was claimed meanwhile', async () => {
    const [{ claimed }] = await database.sql<[{ claimed: number }]>`select claimed_until as claimed from rollup_state`
    const known: number[] = []
    await inOwn(async (sql, { claimedUntilMs }) => {
      known.push(claimedUntilMs)
      await sql`insert into sample (stream_key, time, num) values (1, ${known.length}, 1)`
      if (known.length === 1)
        await database.sql`update rollup_state set claimed_until = claimed_until + interval '1 hour'`
    })
    assert.deepEqual(known, [claimed, claimed + 3_600_000])
    assert.deepEqual([...(await database.sql`select time from sample`)], [{ time: 2 }])
  })

  it('has a long upload begin anew when somebody began to listen to its organization, and not to another', async () => {
    const interests = async (organizationKey: number) => {
      const heard: boolean[] = []
      await inOwn(async (_sql, gate) => {
        heard.push(gate.heard.has(1))
        if (heard.length === 1)
          await database.sql`
            insert into live_interest (organization_key, until) values (${organizationKey}, now() + interval '1 hour')`
      })
      return heard
    }
    for (const name of ['one', 'two']) await database.sql`insert into organization (name) values (${name})`
    assert.deepEqual(await interests(2), [false])
    assert.deepEqual(await interests(1), [false, true])
    let runs = 0
    await inOwn(async () => {
      runs += 1
      await database.sql`delete from live_interest`
    })
    assert.equal(runs, 1)
  })

  it('has a long upload stand in the gate of all when its own moved again and again', async () => {
    const wasClosed: boolean[] = []
    await inOwn(async () => {
      wasClosed.push(
        await transaction(database.sql, closeAll).then(
          () => true,
          () => false,
        ),
      )
      await database.sql`update rollup_state set claimed_until = claimed_until + interval '1 hour'`
    })
    assert.deepEqual(wasClosed, [true, true, true, false])
  })

  it('is tried again by a change that somebody waits for, which fails when it was in vain for long', async () => {
    const end = await hold(enter)
    let attempts = 0
    const closeOnceMore = (sql: Transaction) => {
      attempts += 1
      return closeAll(sql)
    }
    await assert.rejects(patientTransaction(database.sql, ['test'], closeOnceMore, 700), {
      code: 'busy',
      message: 'a long upload is under way, try again',
    })
    assert.ok(attempts > 1, String(attempts))
    const before = attempts
    const closing = patientTransaction(database.sql, ['test'], closeOnceMore)
    await eventually(async () => attempts > before + 1)
    await end()
    await closing
  })

  it('is closed to all by a change only when that is at its end, and noted then, once', async () => {
    const before = await latestSerial(database.sql)
    await patientTransaction(database.sql, ['test'], async (sql) => {
      await close(sql)
      await noteChange(sql, [7, 8])
      await noteChange(sql, [7])
      await transaction(database.sql, enter)
      await transaction(database.sql, closeAll)
    })
    const noted =
      await database.sql`select component_key as key from catalog_change where serial > ${before} order by key`
    assert.deepEqual([...noted], [{ key: 7 }, { key: 8 }])
  })

  it('is waited for by the end of a change that has taken long, and one that has not is begun anew', async () => {
    const runsOf = async (workMs: number) => {
      const end = await hold(enter)
      let runs = 0
      const change = patientTransaction(database.sql, ['test'], async (sql) => {
        runs += 1
        await close(sql)
        await noteChange(sql, [9])
        await sleep(workMs)
      })
      await Promise.race([change, sleep(2500)])
      await end()
      await change
      return runs
    }
    assert.equal(await runsOf(1100), 1)
    assert.ok((await runsOf(0)) > 1)
  })

  it('is closed to all from the beginning of a change on the day of an upgrade: servers of the version before know no other', async () => {
    const isOpenBeside = (change: (sql: Transaction) => Promise<unknown>) =>
      transaction(database.sql, async (sql) => {
        await change(sql)
        return transaction(database.sql, async (other) => {
          await other`set local lock_timeout = '100ms'`
          await enter(other)
        }).then(
          () => true,
          () => false,
        )
      })
    assert.equal(await isOpenBeside(close), true)
    try {
      await database.sql`update migration set run_on = run_on - interval '40 days' where name < '0048'`
      assert.equal(await isOpenBeside(close), false)
      await database.sql`update migration set run_on = run_on - interval '25 hours'`
      assert.equal(await isOpenBeside(close), true)
    } finally {
      await database.sql`update migration set run_on = localtimestamp`
    }
  })

  it('is closed when that is done which a change leaves to its end, with something noted and without', async () => {
    const isOpen = () =>
      transaction(database.sql, async (sql) => {
        await sql`set local lock_timeout = '100ms'`
        await enter(sql)
      }).then(
        () => true,
        () => false,
      )
    for (const keys of [[7], []]) {
      const open: boolean[] = []
      await patientTransaction(database.sql, ['test'], async (sql) => {
        await close(sql)
        await afterClosing(sql, async () => void open.push(await isOpen()))
        await noteChange(sql, keys)
        open.push(await isOpen())
      })
      assert.deepEqual(open, [true, false])
    }
    await transaction(database.sql, (sql) => afterClosing(sql, async () => assert.equal(await isOpen(), false)))
  })

  it('is closed by one change after the other, however long each takes', async () => {
    const end = await hold(close)
    const others = Promise.all([close, close, closeAll].map((closing) => transaction(database.sql, closing)))
    // Longer than an upload is waited for.
    await Promise.race([others, sleep(1000)])
    await end()
    await others
  })

  it('leaves the transaction that closed it waiting for other locks as long as before', () =>
    transaction(database.sql, async (sql) => {
      await sql`set local lock_timeout = '12345ms'`
      await close(sql)
      assert.deepEqual([...(await sql`show lock_timeout`)], [{ lock_timeout: '12345ms' }])
    }))
})
