// A process that is held up is not a database that is away. The loop is held for longer than any connection may take, while
// connections are at every stage of being opened.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'pg'
import { openPool } from '../../../src/base/database/pool.ts'
import type { Pool } from '../../../src/base/database/sql.ts'
import { primaryTarget } from '../../../src/base/database/primary.ts'
import { afterSilence, connectWithin } from '../../../src/base/database/silence.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { openRelay } from '../../support/relay.ts'

const holdLoop = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

describe('base/silence', function () {
  this.timeout(60_000)
  let database: TestDatabase
  const pools: Pool[] = []
  before(async () => (database = await openTestDatabase()))
  after(async () => {
    for (const pool of pools) await pool.end()
    await database.drop()
  })

  const open = (url: string): Pool => {
    const pool = openPool(url, { connections: 3, name: 'silence' })
    pools.push(pool)
    return pool
  }

  it('takes no database for away while this process was held up, at no stage of a connection', async () => {
    const asked: Promise<unknown>[] = []
    for (let stage = 0; stage < 12; stage += 1) {
      asked.push(open(database.url)`select 1 as one`.execute())
      const client = new Client(primaryTarget(database.url))
      asked.push(connectWithin(client, 1000).then(() => client.end()))
      await turn()
    }
    holdLoop(2500)
    const outcomes = await Promise.allSettled(asked)
    assert.deepEqual(
      outcomes.filter(({ status }) => status === 'rejected'),
      [],
    )
  })

  it('finds a database that accepts connections and is silent', async () => {
    const relay = await openRelay(database.url)
    try {
      relay.cut()
      await assert.rejects(open(relay.url)`select 1`.execute())
      await assert.rejects(connectWithin(new Client(primaryTarget(relay.url)), 1000), /does not answer/)
    } finally {
      await relay.close()
    }
  })

  it('counts a tick that is late as one', async () => {
    const calls: string[] = []
    const stop = afterSilence(100, () => calls.push('silent'))
    holdLoop(500)
    // The tick and what it sets off are over then.
    for (let turns = 0; turns < 3; turns += 1) await turn()
    assert.deepEqual(calls, [])
    stop()
    await new Promise<void>((resolve) => afterSilence(200, resolve))
    assert.deepEqual(calls, [])
  })

  it('reads what has come before it judges', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const [peer] = (await once(server, 'connection')) as [Socket]
    const calls: string[] = []
    await turn()
    const stop = afterSilence(100, () => calls.push('silent'))
    client.once('data', () => {
      calls.push('answer')
      stop()
    })
    // One tick in each turn of the loop, up to the last but one.
    for (let ticks = 1; ticks < 10; ticks += 1) {
      holdLoop(15)
      await turn()
    }
    peer.write('here')
    holdLoop(15)
    for (let turns = 0; turns < 3; turns += 1) await turn()
    assert.deepEqual(calls, ['answer'])
    client.destroy()
    peer.destroy()
    server.close()
  })
})
