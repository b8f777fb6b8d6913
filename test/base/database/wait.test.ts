import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mayMendItself, waitForDatabase } from '../../../src/base/database/wait.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

/** The distinct lines; their number and times depend on the machine's load. */
const saidAnew = (lines: readonly string[]) => [...new Set(lines.map((line) => line.replace(/\(\d+ of/, '(n of')))]

describe('waiting for a database', () => {
  let database: TestDatabase
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())

  const wait = async (change: Partial<URL>) => {
    const lines: string[] = []
    await waitForDatabase(Object.assign(new URL(database.url), change).href, (line) => lines.push(line))
    return lines
  }

  it('does not wait for one that will never take us', async () => {
    for (const [change, reason] of [
      [{ pathname: '/nowhere' }, /refuses us: database "nowhere" does not exist\.$/],
      [{ username: 'stranger', password: '' }, /refuses us: (role "stranger" does not exist|it wants a password)\.$/],
      [{ search: '?sslmode=require' }, /refuses us: The server does not support SSL connections\.$/],
    ] as const)
      await assert.rejects(wait(change), reason)
  })

  it('goes on by every error of a failover, and ends by a refusal', () => {
    for (const code of [
      'CONNECTION_CLOSED',
      'CONNECT_TIMEOUT',
      'ECONNREFUSED',
      '08001',
      '25006',
      '57P03',
      '57P01',
      '53300',
    ])
      assert.ok(mayMendItself(code, 'x'), code)
    for (const code of ['28P01', '28000', '3D000', 'NO_TLS', '42501']) assert.ok(!mayMendItself(code, 'x'), code)
  })

  it('is over at once for one that is there', async () => {
    assert.deepEqual(await wait({}), [])
  })

  it('waits for one that takes no more connections, and names the limit', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await database.sql.unsafe(`alter database ${name} connection limit 0`)
    const lines: string[] = []
    await waitForDatabase(database.url, (line) => {
      lines.push(line)
      void database.sql.unsafe(`alter database ${name} connection limit -1`).execute()
    })
    assert.deepEqual(saidAnew(lines), [
      "waiting for the database (n of 60 s): the database's max_connections is reached: " +
        'raise it, or lower DATABASE_CONNECTIONS or WORKERS',
    ])
  })

  it('waits for one that is not there yet, and says so', async () => {
    const { hostname, port } = new URL(database.url)
    const place = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => place.once('listening', resolve))
    const free = (place.address() as AddressInfo).port
    await new Promise((resolve) => place.close(resolve))
    const lines: string[] = []
    const waiting = waitForDatabase(
      Object.assign(new URL(database.url), { host: `127.0.0.1:${free}` }).href,
      (line) => {
        lines.push(line)
        if (!relay.listening) relay.listen(free, '127.0.0.1')
      },
    )
    const relay = createServer((client) => {
      const upstream = connect({ host: hostname, port: Number(port) })
      client.pipe(upstream).pipe(client)
    })
    try {
      await waiting
    } finally {
      relay.close()
    }
    assert.deepEqual(saidAnew(lines), [`waiting for the database (n of 60 s): connect ECONNREFUSED 127.0.0.1:${free}`])
  })
})
