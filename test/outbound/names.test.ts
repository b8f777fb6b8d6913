// Addresses of external names: found where getaddrinfo() finds them, and without a thread of the process.
import assert from 'node:assert/strict'
import dns from 'node:dns'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { candidatesOf, openNames } from '../../src/outbound/names.ts'
import { openNameServer } from '../support/name-server.ts'
import type { NameServer } from '../support/name-server.ts'
import { eventually } from '../support/within.ts'

describe('names of external hosts', () => {
  const usual = dns.getServers()
  let dir: string
  let server: NameServer
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'coppice-names-'))
    await writeFile(join(dir, 'hosts'), '127.0.0.1 localhost\n10.1.1.1  Plant.example plant # 10.1.1.2 other.example\n')
    await writeFile(join(dir, 'resolv.conf'), 'nameserver 127.0.0.1\nsearch lan.example\n')
    server = await openNameServer({
      'far.example': ['192.0.2.1', '192.0.2.2'],
      'historian.lan.example': ['192.0.2.3'],
      'broken.example': 'failure',
    })
    dns.setServers([server.address])
  })
  after(async () => {
    dns.setServers(usual)
    server.close()
    await rm(dir, { recursive: true })
  })

  const find = (host: string) => {
    const files = { hosts: join(dir, 'hosts'), resolver: join(dir, 'resolv.conf') }
    return openNames(() => Promise.resolve([{ address: 'by getaddrinfo', family: 0 }]), files)(host)
  }
  const addressesOf = async (host: string) => (await find(host)).map(({ address }) => address)

  it('are looked for in the hosts file before anybody is asked', async () => {
    assert.deepEqual(await addressesOf('plant.example'), ['10.1.1.1'])
    assert.equal(server.asked.has('plant.example'), false)
  })

  it('are found by DNS, in the domains of this network too', async () => {
    assert.deepEqual(await addressesOf('Far.example'), ['192.0.2.1', '192.0.2.2'])
    assert.deepEqual(await addressesOf('historian'), ['192.0.2.3'])
  })

  it('are unknown where the name server has none, or fails', async () => {
    await assert.rejects(find('nobody.example'), { code: 'ENOTFOUND' })
    await assert.rejects(find('broken.example'), { code: 'EAI_AGAIN' })
  })

  for (const host of ['localhost', 'a.localhost', '2130706433', '0x7f.1', 'printer', 'printer.local'])
    it(`are left to getaddrinfo() where DNS does not know them: ${host}`, async () => {
      assert.deepEqual(await addressesOf(host), ['by getaddrinfo'])
    })

  it('are all asked for at once when no name server answers, and others are found meanwhile', async () => {
    const dead = await openNameServer({}, false)
    dns.setServers([dead.address])
    try {
      const names = Array.from({ length: 20 }, (_, index) => `n${index}.dead.example`)
      const found = names.map(find)
      for (const one of found) one.catch(() => {})
      await eventually(async () => names.every((name) => dead.asked.has(name)))
      // By one of the threads, of which two at once look up names.
      await dns.promises.lookup('localhost')
      dead.wake()
      for (const one of found) await assert.rejects(one, { code: /ENOTFOUND|EAI_AGAIN/ })
    } finally {
      dns.setServers([server.address])
      dead.close()
    }
  })

  it('are looked for in the order of getaddrinfo()', () => {
    const resolver = 'search a.example b.example.\noptions timeout:1 ndots:2\n'
    assert.deepEqual(candidatesOf('h.x', resolver), ['h.x.a.example', 'h.x.b.example', 'h.x'])
    assert.deepEqual(candidatesOf('h.x.y', resolver), ['h.x.y', 'h.x.y.a.example', 'h.x.y.b.example'])
    assert.deepEqual(candidatesOf('h.x.', resolver), ['h.x'])
    assert.deepEqual(candidatesOf('h.x', ''), ['h.x'])
    assert.deepEqual(candidatesOf('h', 'domain one.example'), ['h.one.example', 'h'])
  })
})
