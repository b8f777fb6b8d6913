// What is secret of a connection is nowhere in what the server answers, writes or keeps, however its use fails.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { addressRange } from '../../src/base/config.ts'
import { openLog } from '../../src/base/log.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { dumpOf } from '../support/dump.ts'
import { addPerson } from '../support/http.ts'
import { loopback, targetFrom } from '../support/outbound.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

const secret = 'TOPSECRET-of-the-plant'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), key.split('\n')[1]!]

/** A PostgreSQL that asks for the password as it is, and repeats it in its refusal. */
const openEcho = async (): Promise<Server> => {
  const server = createServer((socket) => {
    let isAsked = false
    socket
      .on('error', () => {})
      .on('data', (data) => {
        if (isAsked && data[0] === 0x70) {
          const text = `SFATAL\0CXX000\0Mwhat is ${data.toString('utf8', 5, data.length - 1)} good for?\0\0`
          const head = Buffer.from([0x45, 0, 0, 0, 0])
          head.writeUInt32BE(text.length + 4, 1)
          socket.end(Buffer.concat([head, Buffer.from(text)]))
          return
        }
        isAsked = true
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

describe('secrets of connections', function () {
  this.timeout(600_000)
  let service: TestService
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let echo: Server
  let log = ''
  before(async () => {
    const collecting = openLog('trace', { write: (line: string) => void (log += line) })
    service = await openTestService({ outboundAllow: loopback.map(addressRange) }, undefined, collecting)
    external = await openEmptyDatabase()
    echo = await openEcho()
  })
  after(async () => {
    echo.close()
    await service.close()
    await external.drop()
  })

  it('are in no reply, log, metric, error, entry of the audit log, or column that is not encrypted', async () => {
    const { call, user } = await addPerson(service, 'admin')
    let replies = ''
    const ask = async <T>(method: string, path: string, input?: unknown): Promise<T> => {
      const { body } = await call(method, path, input)
      replies += `${method} ${path} ${JSON.stringify(body)}\n`
      return body as T
    }
    const { host, port, database, user: name } = targetFrom('postgresql', external.url)
    const usual = { name: 'x', kind: 'postgresql', host, port, database, user: name, password: secret, tls: false }
    const ways = [
      { user: 'nobody_of_this_name' },
      { database: 'nowhere' },
      { host: 'no-such-host.invalid' },
      { port: 1 },
      { tls: true, key },
      { host: '10.0.0.1' },
      { port: (echo.address() as AddressInfo).port },
      { kind: 'mysql', port: (echo.address() as AddressInfo).port, connectTimeoutMs: 500 },
      { kind: 'sqlserver', port: 1 },
      { kind: 'oracle', port: 1, tls: true, wallet: secret, walletPassword: secret },
    ]
    const ingestSql = 'SELECT 1'
    for (const way of ways) {
      const { connection } = await ask<{ connection: { uid: string } }>('POST', '/api/connection', { ...usual, ...way })
      const { uid } = connection
      const given = { connectionUid: uid, externalSql: 'select 1', ingestSql }
      // All ways of asking end in the same sentences: each session has a thread, which takes its time from source.
      if ('port' in way && way.port !== 1) {
        await ask('POST', `/api/connection/${uid}/test`)
        await ask('POST', `/api/connection/${uid}/preview`, { sql: 'select 1' })
        await ask('POST', '/api/connector/import_test', given)
      }
      const members = { type: 'import', name: 'x', runningUserUid: user.uid, ...given }
      const { connector } = await ask<{ connector: { uid: string } }>('POST', '/api/connector', members)
      await ask('POST', `/api/connector/${connector.uid}/run`)
      await ask('GET', `/api/connector/${connector.uid}/run`)
      await ask('GET', `/api/connector/${connector.uid}`)
      await ask('PUT', `/api/connection/${uid}`, { name: 'y' })
      await ask('PUT', `/api/connection/${uid}`, { host: 'elsewhere.example' })
      await ask('PUT', `/api/connection/${uid}`, { host: 'elsewhere.example', password: secret })
      await ask('POST', '/api/connection', { ...usual, ...way, port: 'none' })
      await ask('DELETE', `/api/connection/${uid}`)
    }
    for (const path of ['/api/connection', '/api/connector', '/api/audit']) await ask('GET', path)
    const { text: metrics } = await service.get('/metrics')
    assert.match(replies, /what is \*\*\* good for/)
    assert.match(metrics, /coppice_import_connector_last_error/)
    const places = { replies, log, metrics, kept: await dumpOf(service.sql) }
    for (const [place, text] of Object.entries(places)) {
      assert.notEqual(text, '', place)
      for (const form of forms) {
        const at = text.indexOf(form)
        assert.equal(at, -1, `${place}: ${text.slice(Math.max(0, at - 300), at + 100)}`)
      }
    }
  })
})
