// The ways out of a thread: every connection of a driver ends at a checked address.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { Worker } from 'node:worker_threads'
import { inThreads } from '../../src/base/thread.ts'
import { openNameServer } from '../support/name-server.ts'

/** Runs the code in a guarded thread, and gives its result. */
const inThread = async (allow: readonly string[], code: string): Promise<unknown> => {
  const { href: guard } = inThreads(new URL('../../src/outbound/guard.ts', import.meta.url))
  const source = `
    const { parentPort, workerData } = require('node:worker_threads')
    const net = require('node:net'), tls = require('node:tls'), dns = require('node:dns')
    const dgram = require('node:dgram'), http = require('node:http')
    const end = (socket) => new Promise((resolve) => {
      socket.once('connect', () => resolve('connected')).once('error', (error) => resolve(error.message))
    }).finally(() => socket.destroy?.())
    const loaded = ${guard.endsWith('.ts')} ? import('tsx/esm/api').then(({ register }) => register()) : undefined
    Promise.resolve(loaded).then(async () => {
      const guard = (await import('${guard}')).guardThread(${JSON.stringify(allow)})
      const port = workerData
      try { parentPort.postMessage(await (async () => { ${code} })()) }
      catch (error) { parentPort.postMessage(error.message) }
    })`
  const worker = new Worker(source, { eval: true, execArgv: [], workerData: port })
  try {
    return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  } finally {
    await worker.terminate()
  }
}

let port = 0

describe('a guarded thread', () => {
  let server: Server
  let connections = 0
  before(async () => {
    server = createServer((socket) => {
      connections += 1
      socket.on('error', () => {}).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(() => void server.close())

  const ways: readonly (readonly [string, string])[] = [
    ['net.connect with an address', "return end(net.connect(port, '127.0.0.1'))"],
    ['net.connect with a name', "return end(net.connect({ port, host: 'localhost' }))"],
    ['net.connect without a host', 'return end(net.connect(port))'],
    ['a socket of its own', "return end(new net.Socket().connect(port, '127.0.0.1'))"],
    ['a mapped address', "return end(net.connect(port, '::ffff:127.0.0.1'))"],
    [
      'a lookup of its own',
      "return end(net.connect({ port, host: 'a.example', lookup: (h, o, done) => done(null, o.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4) }))",
    ],
    ['tls.connect', "return end(tls.connect({ port, host: '127.0.0.1' }))"],
    ['HTTP', "return end(http.get({ port, host: '127.0.0.1' }))"],
    ['fetch', "return fetch('http://127.0.0.1:' + port).then(() => 'connected', (error) => error.cause.message)"],
    ['a number that is an address', "return end(net.connect({ port, host: '2130706433' }))"],
    [
      'dns.lookup',
      "return new Promise((resolve) => dns.lookup('localhost', (error, found) => resolve(error ? error.message : 'connected')))",
    ],
    [
      'a datagram',
      "const socket = dgram.createSocket('udp4'); return new Promise((resolve) => socket.send('x', port, '127.0.0.1', () => resolve('connected')))",
    ],
  ]
  for (const [name, code] of ways)
    it(`does not reach a forbidden address by ${name}`, async () => {
      const before = connections
      const said = String(await inThread([], code))
      assert.match(said, /may not be reached|ENOTFOUND a.example/)
      assert.equal(connections, before)
    })

  it("asks for this machine's interfaces, and does not reach their networks", async () => {
    const code = `
      const [one, other] = await Promise.all([guard.check('93.184.216.9'), guard.check('93.184.217.9')])
      require('node:os').networkInterfaces = () => ({ eth0: [{ address: '93.184.216.34', cidr: '93.184.216.34/24' }] })
      const { setTimeout: sleep } = require('node:timers/promises')
      for (let look = 0; look < 100; look += 1) {
        const said = await guard.check('93.184.216.9').then(() => '', (error) => error.message)
        if (said !== '') return [one, other, said, await guard.check('93.184.217.9')].join('; ')
        await sleep(50)
      }`
    assert.equal(
      await inThread([], code),
      '93.184.216.9; 93.184.217.9; the address 93.184.216.9 may not be reached: the operator of this server can name it in OUTBOUND_ALLOW; 93.184.217.9',
    )
  })

  it('does not reach a socket of the file system', async () => {
    assert.match(
      String(await inThread(['127.0.0.0/8'], "return end(net.connect('/tmp/x.sock'))")),
      /may not be reached/,
    )
  })

  it('reaches an address that is allowed, and counts the bytes from there', async () => {
    const code =
      "const said = await end(net.connect({ port, host: '127.0.0.1' })); return said + ' ' + guard.bytesRead()"
    assert.equal(await inThread(['127.0.0.0/8'], code), 'connected 0')
  })

  it('asks for a name once: another answer later changes nothing', async () => {
    const code = `
      let asked = 0
      const answers = ['127.0.0.1', '10.0.0.1']
      const first = await guard.check('localhost')
      dns.promises.lookup = async () => [{ address: answers[asked++], family: 4 }]
      return [first.includes('127.0.0.1'), await end(net.connect({ port, host: 'localhost' })), asked].join()`
    assert.equal(await inThread(['127.0.0.0/8', '::1/128'], code), 'true,connected,0')
  })

  it('finds names without a thread of the process, and checks all of their addresses', async () => {
    const names = await openNameServer({ 'far.example': ['127.0.0.1'], 'both.example': ['127.0.0.1', '10.0.0.1'] })
    const check = (host: string) => `dns.setServers(['${names.address}']); return guard.check('${host}')`
    try {
      assert.deepEqual(await inThread(['127.0.0.0/8'], check('far.example')), ['127.0.0.1'])
      const said = await inThread(['127.0.0.0/8'], check('both.example'))
      assert.match(String(said), /^the address both.example \(10\.0\.0\.1\) may not be reached/)
    } finally {
      names.close()
    }
  })

  it('refuses a name as soon as one of its addresses is forbidden', async () => {
    // localhost is 127.0.0.1 and, where there is IPv6, ::1.
    const said = String(await inThread([], "return guard.check('localhost')"))
    assert.match(said, /^the address localhost \((127\.0\.0\.1|::1)\) may not be reached/)
  })
})
