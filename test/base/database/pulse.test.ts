// The pulse on a real database, through a network that can be cut. Ticks are short: a silence of half a second is one.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { pgTarget } from '../../../src/base/database/url.ts'
import { openPool } from '../../../src/base/database/pool.ts'
import { primaryTarget } from '../../../src/base/database/primary.ts'
import { openPulse } from '../../../src/base/database/pulse.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import type { Relay } from '../../support/relay.ts'
import { openRelay } from '../../support/relay.ts'
import { eventually } from '../../support/within.ts'
import { skipWithout } from '../../support/skip.ts'

const tickMs = 50
/** Where the database has to answer in time, on a machine that may have much else to do. */
const calmTickMs = 250

describe('base/pulse', () => {
  let database: TestDatabase
  let relay: Relay
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(async () => (relay = await openRelay(database.url)))
  afterEach(() => relay.close())

  /** A connection whose pulse is taken at another address, if one is given. */
  const openWatched = async (pulseUrl = relay.url, everyMs = tickMs) => {
    const socket = new Socket()
    openPulse(pulseUrl, everyMs).watch(socket)
    const client = new Client({ ...pgTarget(relay.url), stream: () => socket })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  /** Besides the one that is watched. */
  const isAsking = async () => relay.connections() === 2

  it('ends queries that wait on a database that has fallen silent', async () => {
    const client = await openWatched()
    const asked = assert.rejects(client.query('select pg_sleep(30)'), { message: 'the database does not answer' })
    await eventually(isAsking)
    relay.cut()
    await asked
  })

  it('ends queries that wait on one that fell silent before it was ever asked', async () => {
    const client = await openWatched()
    relay.cut()
    await assert.rejects(client.query('select 1'), { message: 'the database does not answer' })
  })

  it('lets a query be silent for as long as it likes while the database answers', async () => {
    const client = await openWatched(relay.url, calmTickMs)
    await client.query('select pg_sleep(4)')
    assert.ok(await isAsking())
    await client.end()
  })

  it('takes a refusal for an answer', async () => {
    const nowhere = Object.assign(new URL(relay.url), { pathname: '/no_such_database' }).href
    const client = await openWatched(nowhere, calmTickMs)
    await client.query('select pg_sleep(4)')
    await client.end()
  })

  it('does not blame the database for the time in which this process did nothing', async () => {
    const client = await openWatched()
    await eventually(isAsking)
    const asked = client.query('select pg_sleep(1.5)')
    const nothing = new Int32Array(new SharedArrayBuffer(4))
    for (let time = 0; time < 5; time += 1) {
      Atomics.wait(nothing, 0, 0, 700)
      await sleep(1)
    }
    await asked
    await client.end()
  })

  it('asks no more when nothing is left to watch', async () => {
    const client = await openWatched()
    await eventually(isAsking)
    await client.end()
    await eventually(async () => relay.connections() === 0)
    await sleep(tickMs * 5)
    assert.equal(relay.connections(), 0)
  })

  it('has the database notice within half a minute that it has lost us', async function () {
    /** Linux's entry for the database's end of a connection, if the database is on this machine. */
    const endOf = async (ourPort: number) => {
      const list = await readFile('/proc/net/tcp', 'utf8').catch(() => '')
      const ends = list.split('\n').map((line) => line.trim().split(/\s+/))
      return ends.find((fields) => fields[2]?.endsWith(`:${ourPort.toString(16).toUpperCase().padStart(4, '0')}`))
    }
    const isListed = async (ourPort: number) => (await endOf(ourPort)) !== undefined
    /** When the kernel asks next whether we are still there. */
    const nextLookMs = async (ourPort: number): Promise<number | undefined> => {
      const [timer, hundredths] = (await endOf(ourPort))?.[5]?.split(':') ?? []
      return timer === '02' ? Number.parseInt(hundredths!, 16) * 10 : undefined
    }
    const pool = openPool(database.url, { connections: 2, name: 'test' })
    const client = new Client(primaryTarget(database.url))
    try {
      await client.connect()
      const question = 'select inet_client_port() as port'
      const ports = [
        (await pool.unsafe<{ port: number }[]>(question))[0]!.port,
        (await client.query<{ port: number }>(question)).rows[0]!.port,
      ]
      if (!(await isListed(ports[0]!)))
        return skipWithout(this, 'a database on this machine, whose connections /proc/net/tcp lists')
      // While an answer is not acknowledged, another clock runs.
      for (const port of ports) await eventually(async () => ((await nextLookMs(port)) ?? Infinity) <= 10_000)
      for (const ask of [
        async (setting: string) => (await pool.unsafe<Record<string, string>[]>(`show ${setting}`))[0]![setting],
        async (setting: string) => (await client.query<Record<string, string>>(`show ${setting}`)).rows[0]![setting],
      ])
        assert.deepEqual(await Promise.all(['tcp_user_timeout', 'client_connection_check_interval'].map(ask)), [
          '30000',
          '5s',
        ])
    } finally {
      await client.end()
      await pool.end({ timeout: 1 })
    }
  })
})
