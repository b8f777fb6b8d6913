import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from '../../../src/base/database/sql.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import { closeGate, openGate, patientTransaction } from '../../../src/core/sample/gate.ts'
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

  it('is not closed while an upload is long under way', async () => {
    const end = await hold((sql) => openGate(sql, 0))
    await assert.rejects(transaction(database.sql, closeGate), { code: 'busy' })
    await end()
    await transaction(database.sql, closeGate)
  })

  it('is tried again by a change that somebody waits for, which fails when it was in vain for long', async () => {
    const end = await hold((sql) => openGate(sql, 0))
    let attempts = 0
    const close = (sql: Transaction) => {
      attempts += 1
      return closeGate(sql)
    }
    await assert.rejects(patientTransaction(database.sql, ['test'], close, 700), {
      code: 'busy',
      message: 'a long upload is under way, try again',
    })
    assert.ok(attempts > 1, String(attempts))
    const before = attempts
    const closing = patientTransaction(database.sql, ['test'], close)
    await eventually(async () => attempts > before + 1)
    await end()
    await closing
  })

  it('is closed by one change after the other, however long each takes', async () => {
    const end = await hold(closeGate)
    const others = Promise.all([transaction(database.sql, closeGate), transaction(database.sql, closeGate)])
    // Longer than an upload is waited for.
    await Promise.race([others, sleep(1000)])
    await end()
    await others
  })

  it('leaves the transaction that closed it waiting for other locks as long as before', () =>
    transaction(database.sql, async (sql) => {
      await sql`set local lock_timeout = '12345ms'`
      await closeGate(sql)
      assert.deepEqual([...(await sql`show lock_timeout`)], [{ lock_timeout: '12345ms' }])
    }))
})
