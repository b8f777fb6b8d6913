// A failover that loses commits, as asynchronous replication may (docs/scale.md#standbys): the server forgets what it
// remembers of the history that is gone, without a restart.
import assert from 'node:assert/strict'
import { openPool } from '../../src/base/database/pool.ts'
import type { Service } from '../../src/service.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'
import { openTwoHosts, ownerPassword } from './two-hosts.ts'

const apiKey = 'key-of-the-lost'

describe('a server whose database loses commits by a failover', function () {
  this.timeout(240_000)
  let first: OwnDatabase
  let standby: OwnDatabase
  let service: Service
  let session: string
  before(async () => {
    ;({ first, standby, service } = await openTwoHosts('failover-lost', apiKey, 'at the primary'))
    const credentials = { email: 'owner@localhost', password: ownerPassword }
    session = (await ask<{ sessionUid: string }>('POST', '/api/login', credentials)).sessionUid
  })
  after(async () => {
    await service?.close()
    await Promise.all([first?.stop(), standby?.stop()])
  })

  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${service.url}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await call(method, path, body)
    assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${await reply.clone().text()}`)
    return (await reply.json()) as T
  }
  const put = (id: string, value: number, more = '') =>
    call('PUT', `/api/feed?compId=${id}&level=${value}&time=${value}&api_key=${apiKey}${more}`)
  const times = async (id: string): Promise<readonly number[]> => {
    const samples = await ask<readonly { time: number }[]>('GET', `/api/comp/${id}/feed?api_key=${apiKey}`)
    return samples.map(({ time }) => time)
  }
  /** Sends two thirds of a file, until a piece of it is stored. */
  const beginFile = async (name: string, letter: string, database: OwnDatabase) => {
    const wire = await openWire(service.url)
    const path = `/api/comp/Files/stream/f/feed/file/${name}?api_key=${apiKey}`
    wire.send(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n${letter.repeat(200_000)}`)
    await eventually(async () => {
      const sql = openPool(database.url, { connections: 2, name: 'test' })
      const found = await sql`select from blob`
      await sql.end({ timeout: 1 })
      return found.length === 1
    })
    return {
      finish: async () => {
        wire.send(letter.repeat(100_000))
        const { statusLine } = await wire.reply()
        wire.close()
        return statusLine
      },
    }
  }
  const listen = async (id: string) => {
    const leaving = new AbortController()
    const heard = { text: '', stop: () => leaving.abort() }
    const reply = await fetch(`${service.url}/api/live?compId=${id}&api_key=${apiKey}`, { signal: leaving.signal })
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const bytes of reply.body!) heard.text += decoder.decode(bytes as Uint8Array, { stream: true })
    }
    read().catch(() => {})
    return heard
  }
  /** Ends the replication, so that nothing that is committed from here on reaches the standby. */
  const cutOff = async () => {
    await eventually(async () => {
      const behind = `
        select from pg_stat_replication where replay_lsn >= pg_current_wal_flush_lsn()`
      return (await first.ask(behind)).length > 0
    })
    await standby.ask("alter system set primary_conninfo = ''")
    await standby.ask('select pg_reload_conf()')
    await eventually(async () => (await standby.ask('select from pg_stat_wal_receiver')).length === 0)
  }

  it('makes anew what it remembers and nobody else has, and knows no lost credential any more', async () => {
    assert.equal((await put('Kept', 1)).status, 200)
    const heard = await listen('Kept')
    await eventually(async () => heard.text.includes('event: live'))
    await cutOff()
    // Remembered from their second upload on, with keys that the standby gives to others.
    for (const id of ['Lost-1', 'Lost-2'])
      for (const value of [1, 2, 3]) assert.equal((await put(id, value)).status, 200)
    const capabilities = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }]
    const { api_key: lost } = await ask<{ api_key: { secret: string } }>('POST', `/api/api_key?session=${session}`, {
      name: 'lost',
      capabilities,
    })
    const lostFile = await beginFile('lost', 'a', first)
    const withLost = () => call('GET', `/api/comp/Kept/feed?api_key=${lost.secret}`)
    assert.equal((await withLost()).status, 200)
    await first.kill()
    await standby.ask('select pg_promote()')
    await eventually(async () => (await put('Other', 5)).status === 200)
    for (const id of ['Lost-2', 'Lost-1']) assert.equal((await put(id, 7)).status, 200)
    assert.deepEqual(await times('Lost-1'), [7])
    assert.deepEqual(await times('Lost-2'), [7])
    assert.deepEqual(await times('Other'), [5])
    assert.deepEqual(await times('Kept'), [1])
    await eventually(async () => (await withLost()).status === 401)
    // A file whose key the new history has given to another.
    const file = await beginFile('kept', 'b', standby)
    assert.match(await lostFile.finish(), / 503 /)
    assert.match(await file.finish(), / 200 /)
    const stored = await call('GET', `/api/comp/Files/stream/f/feed/file/kept?api_key=${apiKey}`)
    assert.equal(await stored.text(), 'b'.repeat(300_000))
    // It cannot be known what a listener has missed.
    await eventually(async () => heard.text.includes('event: gap'))
    heard.stop()
  })

  it('hears of changes whose serials it knows of the lost history', async () => {
    const { component } = await ask<{ component: readonly { uid: string }[] }>(
      'GET',
      `/api/component?text=Kept&session=${session}`,
    )
    assert.equal((await put('Kept', 2)).status, 200)
    await ask('DELETE', `/api/component/${component[0]!.uid}?session=${session}`)
    assert.equal((await put('Kept', 3)).status, 200)
    assert.deepEqual(await times('Kept'), [3])
  })
})
