// Calls that last by keys with many rows: a listener holds its key, which takes nearly a megabyte.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addApiKey, addMember, addOrganization, addSession, addUser } from '../support/people.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('calls that last, by large keys', () => {
  let service: TestService
  const secrets: string[] = []
  before(async () => {
    service = await openTestService()
    assert.equal((await service.put('/api/feed?compId=Boiler&temp=20')).status, 200)
    const rows = Array.from({ length: 400 }, (_, n) => ({
      resource: `component/${n}${'x'.repeat(500)}/feed`,
      methods: [],
    }))
    for (let n = 0; n < 40; n += 1) {
      const all = { resource: 'component/*/feed', methods: ['GET' as const] }
      secrets.push((await addApiKey(service.sql, service.organizationUid, [all, ...rows])).secret)
    }
  })
  after(() => service.close())

  const inTwoPieces = async (secret: string): Promise<number> => {
    const { port } = new URL(service.url)
    const socket = connect(Number(port), '127.0.0.1')
    const replied = once(socket, 'data') as Promise<[Buffer]>
    const target = `/api/feed?api_key=${secret}`
    socket.write(`PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[`)
    await sleep(200)
    socket.write(']')
    const [bytes] = await replied
    socket.destroy()
    return Number(bytes.toString().slice(9, 12))
  }

  it('give them back at their end, and where they are refused', async () => {
    for (const secret of secrets)
      assert.equal((await service.get(`/api/live?compId=Missing&api_key=${secret}`)).status, 404)
    for (let at = 0; at < secrets.length; at += 10) {
      const some = secrets.slice(at, at + 10)
      const replies = await Promise.all(
        some.map((each) => service.get(`/api/live?compId=Boiler&seconds=0&api_key=${each}`)),
      )
      for (const { status, text } of replies) assert.match(`${status} ${text}`, /^200 .*time_is_up/s)
    }
  })

  it('are refused where they would hold too many of them, and each key is held once', async () => {
    const leaving = new AbortController()
    const listenLong = (secret: string) =>
      fetch(`${service.url}/api/live?compId=Boiler&api_key=${secret}`, { signal: leaving.signal })
    const statuses: number[] = []
    for (const secret of secrets) statuses.push((await listenLong(secret)).status)
    const count = statuses.filter((status) => status === 200).length
    assert.ok(count >= 10 && count < 40, `${count} of 40`)
    assert.deepEqual(new Set(statuses), new Set([200, 503]))
    for (let times = 0; times < 30; times += 1) {
      const reply = await listenLong(secrets[0]!)
      if (reply.status !== 200) assert.fail(`the ${times}. time: ${await reply.text()}`)
    }
    assert.equal((await service.get(`/api/comp/Boiler/last_value?api_key=${secrets[39]}`)).status, 200)

    // None of them keeps out a key of some rows, nor people, who end such a key.
    const owner = await addUser(service.sql, 'owner-of-four@example.org')
    await addMember(service.sql, service.organizationUid, owner, 'owner')
    for (const name of ['Second', 'Third', 'Fourth']) await addOrganization(service.sql, name, owner)
    const query = `session=${await addSession(service.sql, owner)}&org=${service.organizationUid}`
    const few = Array.from({ length: 8 }, (_, n) => ({
      resource: `component/${n}${'x'.repeat(40)}/feed`,
      methods: [],
    }))
    const all = { resource: 'component/*/feed', methods: ['GET', 'PUT'] as const }
    const some = await addApiKey(service.sql, service.organizationUid, [all, ...few])
    assert.equal(await inTwoPieces(some.secret), 200)
    assert.equal((await listenLong(some.secret)).status, 200)
    const body = JSON.stringify({ name: 'new', capabilities: [] })
    assert.equal((await service.request('POST', `/api/api_key?${query}`, { body })).status, 201)
    assert.equal((await service.request('DELETE', `/api/api_key/${some.uid}?${query}`)).status, 200)
    leaving.abort()
  })

  it('give them back once each when a tool of an assistant has called the API by them', async () => {
    const ask = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'last_values', arguments: { component: 'Boiler' } },
    })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    for (const secret of [...secrets, ...secrets]) {
      const reply = await fetch(`${service.url}/api/mcp?api_key=${secret}`, { method: 'POST', headers, body: ask })
      assert.match(await reply.text(), /"rows/)
    }
  })

  it('are refused, where their bodies do not come, in the same way, and give them back', async () => {
    const { port } = new URL(service.url)
    const replies: string[] = []
    const sockets = secrets.map((secret) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('data', (bytes) => void replies.push(bytes.toString().slice(9, 12)))
      const target = `/api/feed?api_key=${secret}`
      socket.write(`PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[`)
      return socket
    })
    await eventually(async () => replies.length >= 5)
    assert.deepEqual(new Set(replies), new Set(['503']))
    for (const socket of sockets) socket.destroy()
    await eventually(async () => {
      const last = await Promise.all(
        secrets.slice(30).map((each) => service.get(`/api/live?compId=Boiler&seconds=0&api_key=${each}`)),
      )
      return last.every(({ status }) => status === 200)
    })
  })
})
