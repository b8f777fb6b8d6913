// What one server of a replicated database reports, over a connection that breaks.
import assert from 'node:assert/strict'
import { openNode } from '../../../src/base/database/node.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import type { Relay } from '../../support/relay.ts'
import { openRelay } from '../../support/relay.ts'
import { eventually } from '../../support/within.ts'

describe('base/node', () => {
  let database: TestDatabase
  let relay: Relay
  before(async () => {
    database = await openTestDatabase()
    relay = await openRelay(database.url)
  })
  after(async () => {
    await relay.close()
    await database.drop()
  })

  /** Ends its connection, and waits until its end has come. */
  const endConnection = async () => {
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'coppice node' and datname = current_database()`
    await eventually(async () => relay.connections() === 0)
  }

  it('is asked by a new connection where the former broke while nobody asked', async () => {
    const node = openNode(relay.url)
    const { system } = await node.ask()
    await endConnection()
    assert.deepEqual([(await node.ask()).system, (await node.ask()).isStandby], [system, false])
    await endConnection()
  })

  it('reports a connection that breaks under a question as one that was closed', async () => {
    const node = openNode(relay.url)
    await node.ask()
    relay.cut()
    const asked = assert.rejects(node.ask(), { code: 'CONNECTION_CLOSED' })
    relay.end()
    await asked
    relay.mend()
    assert.equal((await node.ask()).isStandby, false)
    await endConnection()
  })
})
