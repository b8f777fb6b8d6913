// Servers that send their client elsewhere: SQL Server by a change of its environment after the login, Oracle's listener
// by a packet of its own. The drivers follow; the guard lets them go to checked addresses only.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { testConnection } from '../../src/outbound/fetch.ts'
import type { Kind } from '../../src/outbound/target.ts'
import { holders } from '../support/outbound.ts'

const elsewhere = '127.0.0.2'

const word = (value: number, order: 'BE' | 'LE' = 'LE') => {
  const bytes = Buffer.alloc(2)
  if (order === 'LE') bytes.writeUInt16LE(value)
  else bytes.writeUInt16BE(value)
  return bytes
}

const tdsPacket = (body: Buffer) =>
  Buffer.concat([Buffer.from([4, 1]), word(8 + body.length, 'BE'), Buffer.from([0, 0, 1, 0]), body])

/** Version and encryption (none), as an answer before the login. */
const preLogin = tdsPacket(Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2]))

const rerouted = (port: number) => {
  const host = Buffer.from(elsewhere, 'utf16le')
  const route = Buffer.concat([Buffer.from([0]), word(port), word(elsewhere.length), host])
  const change = Buffer.concat([Buffer.from([20]), word(route.length), route, word(0)])
  const name = Buffer.from('none', 'utf16le')
  const login = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4, 4]), name, Buffer.from([16, 0, 0, 0])])
  return tdsPacket(
    Buffer.concat([
      Buffer.from([0xe3]),
      word(change.length),
      change,
      Buffer.from([0xad]),
      word(login.length),
      login,
      Buffer.from([0xfd]),
      Buffer.alloc(12),
    ]),
  )
}

const redirected = (port: number) => {
  const address = Buffer.from(`(ADDRESS=(PROTOCOL=tcp)(HOST=${elsewhere})(PORT=${port}))`)
  const length = word(10 + address.length, 'BE')
  return Buffer.concat([length, Buffer.from([0, 0, 5, 0, 0, 0]), word(address.length, 'BE'), address])
}

/** The answers to the first messages of a client. */
const answers: Readonly<Partial<Record<Kind, (port: number) => readonly Buffer[]>>> = {
  sqlserver: (port) => [preLogin, rerouted(port)],
  oracle: (port) => [redirected(port)],
}

const listen = async (host: string, onSocket: (socket: Socket) => void): Promise<[Server, number]> => {
  const server = createServer(onSocket).listen(0, host)
  await new Promise((resolve) => server.once('listening', resolve))
  return [server, (server.address() as AddressInfo).port]
}

for (const [kind, answersOf] of Object.entries(answers) as [Kind, (port: number) => readonly Buffer[]][])
  describe(`a server of the kind ${kind} that sends its client elsewhere`, () => {
    const servers: Server[] = []
    let reached = 0
    let port: number
    before(async () => {
      const [other, otherPort] = await listen(elsewhere, (socket) => {
        reached += 1
        socket.destroy()
      })
      const [first, firstPort] = await listen('127.0.0.1', (socket) => {
        const left = [...answersOf(otherPort)]
        socket
          .on('error', () => {})
          .on('data', () => {
            const next = left.shift()
            if (next) socket.write(next)
          })
      })
      servers.push(other, first)
      port = firstPort
    })
    after(() => {
      for (const server of servers) server.close()
    })

    const test = (allow: readonly string[]) => {
      const target = { kind, host: '127.0.0.1', port, database: 'plant', user: 'u', password: 'p', tls: false } as const
      return testConnection({ ...target, more: { connectTimeoutMs: 20_000 }, allow }, { timeoutMs: 60_000, holders })
    }

    it('is followed to an address that may be reached', async () => {
      const { ok } = await test(['127.0.0.0/8'])
      assert.equal(ok, false)
      assert.ok(reached > 0)
    })

    it('is not followed to one that may not, and the sentence names that', async () => {
      const before = reached
      const { ok, error } = await test(['127.0.0.1/32'])
      assert.equal(ok, false)
      assert.match(error!, /^the address 127\.0\.0\.2 may not be reached/)
      assert.equal(reached, before)
    })
  })
