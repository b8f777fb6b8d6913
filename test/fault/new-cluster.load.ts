// A cluster that is made anew behind the same hosts (docs/scale.md#standbys): its timeline is lower than that of the one
// before, and servers go on with it. One of the hosts is away all the time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { openPool } from '../../src/base/database/pool.ts'
import { newDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import { eventually } from '../support/within.ts'

/** A host on which one database takes the place of another. */
const openHost = async () => {
  const sockets = new Set<Socket>()
  let port: number | undefined
  const server = createServer((client) => {
    if (port === undefined) return void client.destroy()
    const upstream = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => void (sockets.delete(from), to.destroy()))
      from.pipe(to)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const put = (database: OwnDatabase | undefined) => {
    port = database && Number(new URL(database.url).port)
    for (const socket of sockets) socket.destroy()
  }
  return {
    name: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    put,
    close: () => {
      put(undefined)
      server.close()
    },
  }
}

describe('a cluster made anew behind the same hosts', function () {
  this.timeout(240_000)
  let former: OwnDatabase
  let promoted: OwnDatabase
  let anew: OwnDatabase
  before(async () => {
    const directory = await newDirectory('new-cluster')
    former = await openOwnDatabase(join(directory, 'former'))
    await former.start()
    promoted = await former.addStandby(join(directory, 'promoted'))
    await promoted.ask('select pg_promote()')
    anew = await openOwnDatabase(join(directory, 'anew'))
    await anew.start()
    await anew.ask(`alter role coppice password '${new URL(former.url).password}'`)
  })
  after(() => Promise.all([former?.stop(), promoted?.stop(), anew?.stop()]))

  it('is the primary however low its timeline is, and the former primary of the one before never is', async () => {
    const host = await openHost()
    const url = promoted.url.replace(new URL(promoted.url).host, `127.0.0.1:${await freePort()},${host.name}`)
    const sql = openPool(url, { connections: 2, name: 'test' })
    const identity = async () => {
      const [row] = await sql<[{ identity: string }]>`
        select concat_ws('/', system_identifier, timeline_id) as identity from pg_control_system(), pg_control_checkpoint()`
      return row.identity
    }
    const isAt = async (place: OwnDatabase) => {
      const [row] = await place.ask(`
        select concat_ws('/', system_identifier, timeline_id) as identity from pg_control_system(), pg_control_checkpoint()`)
      return (await identity().catch(() => '')) === row!['identity']
    }
    try {
      await promoted.ask('checkpoint')
      host.put(promoted)
      await eventually(() => isAt(promoted))
      host.put(anew)
      await eventually(() => isAt(anew))
      host.put(promoted)
      await eventually(() => isAt(promoted))
      host.put(former)
      // It has been asked, and has said that it is the primary.
      await eventually(async () => {
        assert.equal(await isAt(former), false)
        const asked = `select from pg_stat_activity where application_name = 'coppice node' and state = 'idle'`
        return (await former.ask(asked)).length > 0
      })
      await assert.rejects(identity(), { message: 'none of its hosts is the primary' })
    } finally {
      await sql.end({ timeout: 1 })
      host.close()
    }
  })
})
